import { useNavigate } from "@tanstack/react-router";
import { changeWords } from "../words/directory-changes.ts";
import { ChangeDialog } from "./change-dialog.tsx";
import { Consequences } from "./consequences.tsx";
import { DialogButton } from "./dialog-button.tsx";
import type { Change } from "./use-change.ts";

type Props = {
  /** What the button is about, where there are several. */
  of?: string;
  title: string;
  done: string;
  /** What else goes with it. */
  consequences: string;
  remove: NonNullable<Extract<NonNullable<Change["change"]>, { case: "remove" }>["value"]["thing"]>;
  /** Whether assignments may follow, so they are counted first. */
  isCounted?: boolean;
  /** Where one is once it is removed, if that was its page. */
  after?: "/people" | "/projects" | "/organizations";
};

/** A button to remove something. Its dialog says what that takes along, and asks. */
export function RemoveButton({ of, title, done, consequences, remove, isCounted = true, after }: Props) {
  const navigate = useNavigate();
  const changes: Change[] = [{ change: { case: "remove", value: { thing: remove } } }];
  return (
    <DialogButton label={changeWords.remove} of={of} isDangerous={after !== undefined}>
      {(close) => (
        <ChangeDialog
          title={title}
          verb={changeWords.remove}
          isDangerous
          changes={changes}
          done={done}
          onDone={() => after && void navigate({ to: after, replace: true })}
          onClose={close}
        >
          <p>{consequences}</p>
          {isCounted && <Consequences changes={changes} />}
          <p>{changeWords.noUndo}</p>
        </ChangeDialog>
      )}
    </DialogButton>
  );
}
