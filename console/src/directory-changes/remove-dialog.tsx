import { changeWords } from "../words/directory-changes.ts";
import { ChangeDialog } from "./change-dialog.tsx";
import { Consequences } from "./consequences.tsx";
import type { Change } from "./use-change.ts";

type Props = {
  title: string;
  verb: string;
  done: string;
  /** What else goes with it. */
  consequences: string;
  remove: NonNullable<Extract<NonNullable<Change["change"]>, { case: "remove" }>["value"]["thing"]>;
  /** Whether assignments may follow, so they are counted first. */
  isCounted?: boolean;
  onDone?: () => void;
  onClose: () => void;
};

/** Says what a removal takes along, and asks. */
export function RemoveDialog(props: Props) {
  const { title, verb, done, consequences, remove, isCounted = true, onDone, onClose } = props;
  const changes: Change[] = [{ change: { case: "remove", value: { thing: remove } } }];
  return (
    <ChangeDialog
      title={title}
      verb={verb}
      isDangerous
      changes={changes}
      done={done}
      {...(onDone && { onDone })}
      onClose={onClose}
    >
      <p>{consequences}</p>
      {isCounted && <Consequences changes={changes} />}
      <p>{changeWords.noUndo}</p>
    </ChangeDialog>
  );
}
