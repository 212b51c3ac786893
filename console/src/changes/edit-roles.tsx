import "./changes.css";
import type { Authorization } from "@authorization-service/client";
import { Popover } from "@base-ui/react/popover";
import { useEffect, useMemo, useRef, useState } from "react";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { useViewHost } from "../parts/kept-view.tsx";
import { nameOf } from "../parts/role-chips.tsx";
import { useReason } from "../reason/use-reason.tsx";
import { assignmentChangeWords, rolesWords as words } from "../words/assignment-changes.ts";
import { placeName, userName } from "./assignment-name.ts";
import type { Gift } from "./batch-change.ts";
import { BatchDialog } from "./batch-dialog.tsx";
import { slotOf } from "./new-row.ts";
import { choicesOf, placeOf, unlistedOf, useOfferedRoles } from "./offered-roles.ts";
import { RoleBoxes } from "./role-boxes.tsx";
import { differenceOf, isNoDifference, keysOf, sentenceOf } from "./role-difference.ts";

type Props = {
  /** The assignment as it was shown when it was opened. */
  shown: Authorization;
  /** The button that opened it. */
  opener: HTMLElement;
  onClose: () => void;
};

/**
 * Edits roles where they are shown. Enter saves, and Escape leaves them. A click beside it closes it only if nothing is
 * changed. The focus is trapped, because leaving with Tab would lose what is changed as well.
 */
export function EditRoles({ shown, opener, onClose }: Props) {
  const host = useViewHost();
  const popup = useRef<HTMLDivElement>(null);
  const reason = useReason();
  // What the person decides on stays what it was, also when the page asks again.
  const [row] = useState(shown);
  const [wanted, setWanted] = useState(() => keysOf(shown));
  const [gift, setGift] = useState<Gift>();
  const offered = useOfferedRoles(placeOf(row));
  const project = offered.data?.project;
  const choices = useMemo(() => choicesOf(project, row.roles), [project, row]);
  const difference = differenceOf(keysOf(row), wanted);
  const isSame = isNoDifference(difference);
  const isReady = !isSame && !reason.isMissing;
  const isKnown = offered.data !== undefined;
  const focusFirst = () => popup.current?.querySelector("input")?.focus();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once there is a first one.
  useEffect(() => {
    if (isKnown) focusFirst();
  }, [isKnown]);
  if (gift) {
    return (
      <BatchDialog
        change={gift}
        decided={reason.text}
        rows={[row]}
        // If it was refused, what was picked is still there. What someone else has changed is looked at before.
        onClose={([left]) => (left === row ? setGift(undefined) : onClose())}
      />
    );
  }
  const name = (key: string) => nameOf(choices.find((choice) => choice.key === key) ?? { key, displayName: "" });
  return (
    <Popover.Root
      open
      modal="trap-focus"
      onOpenChange={(open, details) => {
        if (open) return;
        if (isSame || details.reason === "escape-key" || details.reason === "close-press") onClose();
        // After the click has moved the focus.
        else requestAnimationFrame(focusFirst);
      }}
    >
      <Popover.Portal container={host}>
        <Popover.Positioner
          anchor={opener.closest("td") ?? opener}
          align="start"
          sideOffset={2}
          className="inline-roles-place"
        >
          <Popover.Popup
            ref={popup}
            className="menu inline-roles"
            // On a button, an early key press would trigger it.
            initialFocus={popup}
            finalFocus={() => opener}
          >
            <Popover.Title className="visually-hidden">{words.title(userName(row))}</Popover.Title>
            <form
              className="stack"
              onSubmit={(event) => {
                event.preventDefault();
                if (isReady) setGift({ kind: "give", wishes: new Map([[slotOf(row), difference]]) });
              }}
            >
              <p className="muted">{placeName(row)}</p>
              {offered.error && <FailureNotice error={offered.error} onRetry={() => void offered.refetch()} />}
              {offered.isLoading && <p role="status">{words.asking}</p>}
              {isKnown && (
                <RoleBoxes
                  legend={words.legend}
                  choices={choices}
                  chosen={wanted}
                  onChange={setWanted}
                  unlisted={unlistedOf(project)}
                />
              )}
              {reason.field}
              <p className="difference" aria-live="polite">
                {isSame ? words.same : words.saving(sentenceOf(difference, name))}
              </p>
              <div className="dialog-actions">
                <Popover.Close>{assignmentChangeWords.cancel}</Popover.Close>
                <button type="submit" className="primary" aria-disabled={!isReady}>
                  {words.save}
                </button>
              </div>
            </form>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
