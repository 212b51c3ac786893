import { useNavigate } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import { changeWords, namedChangeWords as words } from "../words/directory-changes.ts";
import { DialogButton } from "./dialog-button.tsx";
import { RenameDialog } from "./named-dialogs.tsx";
import { RemoveDialog } from "./remove-dialog.tsx";

type Props = {
  name: string;
  /** What else is removed with it. */
  consequences: string;
  remove: ComponentProps<typeof RemoveDialog>["remove"];
  /** Where one is once it is removed. */
  after: "/organizations" | "/projects";
  /** What gives it another name. */
  changeTo: ComponentProps<typeof RenameDialog>["changeTo"];
};

/** Renames or removes an organization or a project. */
export function NamedActions({ name, consequences, remove, after, changeTo }: Props) {
  const navigate = useNavigate();
  return (
    <>
      <DialogButton label={changeWords.rename}>
        {(close) => <RenameDialog name={name} changeTo={changeTo} onClose={close} />}
      </DialogButton>
      <DialogButton label={changeWords.remove} isDangerous>
        {(close) => (
          <RemoveDialog
            title={words.removeTitle(name)}
            verb={changeWords.remove}
            done={words.removed(name)}
            consequences={consequences}
            remove={remove}
            onDone={() => void navigate({ to: after, replace: true })}
            onClose={close}
          />
        )}
      </DialogButton>
    </>
  );
}
