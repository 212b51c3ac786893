import type { Authorization } from "@authorization-service/client";
import { assignmentChangeWords, conflictWords as words } from "../words/assignment-changes.ts";
import { assignmentName } from "./assignment-name.ts";
import { ChangedMeanwhile } from "./changed-meanwhile.tsx";
import { DialogFrame } from "./dialog-frame.tsx";
import { isSoAlready, labels, pastTense } from "./simple-change.ts";
import type { Conflict } from "./use-simple-change.ts";

type Props = {
  conflict: Conflict;
  isBusy: boolean;
  /** Called if the person still wants the change, based on the current state. */
  onDecide: (now: Authorization) => void;
  onClose: () => void;
};

/** Shown if someone else was faster: shows the current state, and lets the person decide again. */
export function ConflictDialog({ conflict: { change, shown, latest }, isBusy, onDecide, onClose }: Props) {
  const { now } = latest;
  const canGoOn = now !== undefined && !isSoAlready(change, now);
  return (
    <DialogFrame
      title={now === undefined ? words.gone : words.faster}
      isBusy={isBusy}
      onClose={onClose}
      closeLabel={canGoOn ? words.leave : assignmentChangeWords.close}
      send={
        canGoOn
          ? {
              label: words.allTheSame(labels[change]),
              isReady: !isBusy,
              isDangerous: change === "delete",
              run: () => onDecide(now),
            }
          : undefined
      }
    >
      <p>{assignmentName(shown)}</p>
      <ChangedMeanwhile shown={shown} latest={latest} />
      {now && !canGoOn && <p>{words.already(pastTense[change])}</p>}
    </DialogFrame>
  );
}
