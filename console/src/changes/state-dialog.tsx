import type { Authorization } from "@authorization-service/client";
import { useReason } from "../reason/use-reason.tsx";
import { stateWords as words } from "../words/assignments.ts";
import { assignmentName } from "./assignment-name.ts";
import { DialogFrame } from "./dialog-frame.tsx";
import { labels } from "./simple-change.ts";

type Props = {
  change: "activate" | "deactivate";
  shown: Authorization;
  isBusy: boolean;
  onConfirm: (reason: string) => void;
  onClose: () => void;
};

/** Asks why an assignment is activated or deactivated. */
export function StateDialog({ change, shown, isBusy, onConfirm, onClose }: Props) {
  const reason = useReason();
  const isOff = isBusy || reason.isMissing;
  return (
    <DialogFrame
      title={words.title(labels[change])}
      isBusy={isBusy}
      onClose={onClose}
      actions={
        <button
          type="button"
          className="primary"
          aria-disabled={isOff}
          onClick={() => !isOff && onConfirm(reason.text)}
        >
          {labels[change]}
        </button>
      }
    >
      <p>{assignmentName(shown)}</p>
      {reason.field}
    </DialogFrame>
  );
}
