import type { Authorization } from "@authorization-service/client";
import { useCaller } from "../caller.ts";
import { may } from "../directory/rights.ts";
import { Facts } from "../parts/facts.tsx";
import { RoleChips } from "../parts/role-chips.tsx";
import { useReason } from "../reason/use-reason.tsx";
import { assignmentChangeWords, deleteWords as words } from "../words/assignment-changes.ts";
import { stateWords } from "../words/assignments.ts";
import { undoWords } from "../words/undo.ts";
import { assignmentName, userName } from "./assignment-name.ts";
import type { SimpleChange } from "./batch-change.ts";
import { DialogFrame } from "./dialog-frame.tsx";

type Props = {
  change: SimpleChange;
  shown: Authorization;
  isBusy: boolean;
  onConfirm: (reason: string) => void;
  onClose: () => void;
};

/** How many roles to show, enough to recognize the assignment. */
const mostRoles = 20;

/** Asks before an assignment is deleted, and why its state changes. */
export function ConfirmDialog({ change, shown, isBusy, onConfirm, onClose }: Props) {
  const reason = useReason();
  const isDelete = change === "delete";
  return (
    <DialogFrame
      title={isDelete ? words.title : stateWords.title(assignmentChangeWords.labels[change])}
      isBusy={isBusy}
      isQuestion={isDelete}
      onClose={onClose}
      closeLabel={isDelete ? words.keep : undefined}
      send={{
        label: isDelete && isBusy ? words.deleting : assignmentChangeWords.labels[change],
        isReady: !isBusy && !reason.isMissing,
        isDangerous: isDelete,
        run: () => onConfirm(reason.text),
      }}
    >
      {isDelete ? <Deleted shown={shown} /> : <p>{assignmentName(shown)}</p>}
      {reason.field}
    </DialogFrame>
  );
}

function Deleted({ shown }: { shown: Authorization }) {
  const mayCreate = may(useCaller(), "user.grant.write", shown);
  return (
    <>
      <p>
        {words.atOnce} {mayCreate ? undoWords.newId : undoWords.final} {words.orDeactivate}
      </p>
      <Facts
        facts={{
          [words.user]: (
            <>
              {userName(shown)} <span className="muted">{shown.user?.preferredLoginName}</span>
            </>
          ),
          [words.project]: shown.project?.name || shown.project?.id,
          [words.organization]: shown.organization?.name || shown.organization?.id,
          [words.roles]: <RoleChips roles={shown.roles} most={mostRoles} />,
        }}
      />
    </>
  );
}
