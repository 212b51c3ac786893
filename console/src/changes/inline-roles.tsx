import "./changes.css";
import type { Authorization } from "@authorization-service/client";
import { Popover } from "@base-ui/react/popover";
import { useEffect, useRef } from "react";
import { useViewHost } from "../parts/kept-view.tsx";
import { assignmentChangeWords, rolesWords as words } from "../words/assignment-changes.ts";
import { userName } from "./assignment-name.ts";
import { RolesConflict } from "./conflict-dialog.tsx";
import { EditedRolesForm } from "./edited-roles-form.tsx";
import { useEditedRoles } from "./use-edited-roles.ts";

type Props = {
  /** The assignment as the row showed it when it was opened. */
  shown: Authorization;
  /** The button in the cell. */
  opener: HTMLElement;
  onClose: () => void;
};

/**
 * Edits roles in a row of the table. Enter saves, and Escape leaves them. A click beside it closes it only if nothing is
 * changed. The focus is trapped, because leaving with Tab would lose what is changed as well.
 */
export function InlineRoles({ shown, opener, onClose }: Props) {
  const host = useViewHost();
  const form = useRef<HTMLFormElement>(null);
  const edited = useEditedRoles(shown, { onSaved: onClose });
  const { problem, isRunning, isReady, isSame, save } = edited;
  const isKnown = edited.offered.data !== undefined;
  const focusFirst = () => form.current?.querySelector("input")?.focus();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once there is a first one.
  useEffect(() => {
    if (isKnown) focusFirst();
  }, [isKnown]);
  if (problem?.case === "changed") {
    return <RolesConflict edited={edited} now={problem.now} onGone={onClose} onClose={onClose} />;
  }
  return (
    <Popover.Root
      open
      modal="trap-focus"
      onOpenChange={(open, { reason }) => {
        if (open || isRunning) return;
        if (isSame || reason !== "outside-press") onClose();
        // After the click has moved the focus.
        else requestAnimationFrame(focusFirst);
      }}
    >
      <Popover.Portal container={host}>
        <Popover.Positioner anchor={opener.closest("td")} align="start" sideOffset={2} className="inline-roles-place">
          <Popover.Popup className="menu inline-roles" finalFocus={() => opener}>
            <Popover.Title className="visually-hidden">{words.title(userName(shown))}</Popover.Title>
            <form
              ref={form}
              className="stack"
              onKeyDown={(event) => {
                // A search is no change yet.
                if (event.key === "Enter" && (event.target as Element).matches("[type=search]")) event.preventDefault();
              }}
              onSubmit={(event) => {
                event.preventDefault();
                if (isReady) void save();
              }}
            >
              <EditedRolesForm edited={edited} />
              <div className="dialog-actions">
                <Popover.Close aria-disabled={isRunning}>{assignmentChangeWords.cancel}</Popover.Close>
                <button type="submit" className="primary" aria-disabled={!isReady}>
                  {isRunning ? words.isSaving : words.save}
                </button>
              </div>
            </form>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
