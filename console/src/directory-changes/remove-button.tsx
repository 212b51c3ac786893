import { DirectoryService } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { useNavigate } from "@tanstack/react-router";
import { useCaller } from "../caller.ts";
import { everywhere, mayChange } from "../directory/rights.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { changeWords, consequenceWords } from "../words/directory-changes.ts";
import { ChangeDialog } from "./change-dialog.tsx";
import { DialogButton } from "./dialog-button.tsx";
import type { Change } from "./use-change.ts";
import { ofDryRun } from "./use-request.ts";

type Props = {
  /** What the words are told: of what, and perhaps where. */
  names: readonly string[];
  words: {
    /** What the button is about, where there are several. */
    readonly removeOf?: (...names: string[]) => string;
    readonly removeTitle: (...names: string[]) => string;
    readonly removed: (...names: string[]) => string;
    /** What else goes with it. */
    readonly removeAdvice: string;
  };
  remove: NonNullable<Extract<NonNullable<Change["change"]>, { case: "remove" }>["value"]["thing"]>;
  /** Where one is once it is removed, if that was its page. */
  after?: "/projects" | "/organizations";
};

/** A button to remove something. Its dialog says what that takes along, and asks. */
export function RemoveButton({ names, words, remove, after }: Props) {
  const navigate = useNavigate();
  const changes: Change[] = [{ change: { case: "remove", value: { thing: remove } } }];
  return (
    <DialogButton label={changeWords.remove} of={words.removeOf?.(...names)} isDangerous={after !== undefined}>
      {(close) => (
        <ChangeDialog
          title={words.removeTitle(...names)}
          verb={changeWords.remove}
          isDangerous
          changes={changes}
          done={words.removed(...names)}
          onDone={() => after && void navigate({ to: after, replace: true })}
          onClose={close}
        >
          <p>{words.removeAdvice}</p>
          {/* No assignment depends on an administrator. */}
          {remove.case !== "administrator" && <Consequences changes={changes} />}
          <p>{changeWords.noUndo}</p>
        </ChangeDialog>
      )}
    </DialogButton>
  );
}

/** How many assignments follow a change, as a dry run counts them: those that the reader sees. */
export function Consequences({ changes }: { changes: readonly Change[] }) {
  const seesAll = mayChange(useCaller(), "user.grant.read", everywhere);
  const words = seesAll ? consequenceWords.ofAll : consequenceWords.ofSeen;
  const request = { changes: [...changes], dryRun: true };
  const { data, error, refetch } = useQuery(DirectoryService.method.applyChanges, request, { meta: ofDryRun });
  if (error) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p role="status">{consequenceWords.counting}</p>;
  const { authorizations, tokensMayStay } = data;
  return (
    <div role="status">
      {(["changed", "removed"] as const).map((effect) => {
        const places = authorizations.filter((place) => place[effect] > 0);
        const count = places.reduce((sum, place) => sum + place[effect], 0);
        const organizations = new Set(places.map(({ organizationId }) => organizationId)).size;
        return count > 0 && <p key={effect}>{words[effect](count, organizations)}</p>;
      })}
      {authorizations.length === 0 && <p>{words.none}</p>}
      {tokensMayStay && <p>{consequenceWords.tokensMayStay}</p>}
    </div>
  );
}
