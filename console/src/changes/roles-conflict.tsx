import { assignmentChangeWords, conflictWords as words } from "../words/assignment-changes.ts";
import { assignmentName } from "./assignment-name.ts";
import { ChangedMeanwhile } from "./changed-meanwhile.tsx";
import { DialogFrame } from "./dialog-frame.tsx";
import type { Latest } from "./latest.ts";
import { unsavedText } from "./role-difference.ts";
import type { EditedRoles } from "./use-edited-roles.ts";

type Props = { edited: EditedRoles; latest: Latest; onGone: () => void; onClose: () => void };

/** Shown if someone else was faster while roles were edited. The person continues with what they are now, or leaves it. */
export function RolesConflict({ edited: { base, difference, name, startFrom }, latest, onGone, onClose }: Props) {
  const { now } = latest;
  return (
    <DialogFrame
      title={now ? words.faster : words.gone}
      onClose={now ? onClose : onGone}
      closeLabel={now ? words.leave : assignmentChangeWords.close}
      send={now && { label: words.goOn, run: () => startFrom(now) }}
    >
      <p>{assignmentName(base)}</p>
      <ChangedMeanwhile shown={base} latest={latest} />
      {now && <p>{unsavedText(now, difference, name)}</p>}
    </DialogFrame>
  );
}
