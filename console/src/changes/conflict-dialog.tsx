import type { Authorization } from "@authorization-service/client";
import { assignmentChangeWords, conflictWords as words } from "../words/assignment-changes.ts";
import { assignmentName } from "./assignment-name.ts";
import { ChangedMeanwhile } from "./changed-meanwhile.tsx";
import { DialogFrame, type Send } from "./dialog-frame.tsx";
import { unsavedText } from "./role-difference.ts";
import type { EditedRoles } from "./use-edited-roles.ts";

type Props = {
  /** What the person decided on, and what it is now, if it is there. */
  shown: Authorization;
  now: Authorization | undefined;
  says?: string | undefined;
  /** Based on the current state. */
  goOn: Send | undefined;
  isBusy?: boolean;
  onClose: () => void;
};

/** Shown if someone else was faster: shows the current state, and lets the person decide again. */
export function ConflictDialog({ shown, now, says, goOn, isBusy = false, onClose }: Props) {
  return (
    <DialogFrame
      title={now === undefined ? words.gone : words.faster}
      isBusy={isBusy}
      onClose={onClose}
      closeLabel={goOn ? words.leave : assignmentChangeWords.close}
      send={goOn}
    >
      <p>{assignmentName(shown)}</p>
      <ChangedMeanwhile shown={shown} now={now} />
      {says && <p>{says}</p>}
    </DialogFrame>
  );
}

type RolesProps = { edited: EditedRoles; now: Authorization | undefined; onGone: () => void; onClose: () => void };

/** The same while roles are edited: the person continues with what they are now, or leaves it. */
export function RolesConflict({ edited: { base, difference, name, startFrom }, now, onGone, onClose }: RolesProps) {
  return (
    <ConflictDialog
      shown={base}
      now={now}
      says={now && unsavedText(now, difference, name)}
      goOn={now && { label: words.goOn, run: () => startFrom(now) }}
      onClose={now ? onClose : onGone}
    />
  );
}
