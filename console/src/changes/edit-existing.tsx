import { type Authorization, AuthorizationService } from "@authorization-service/client";
import { useQuery } from "@connectrpc/connect-query";
import { type ReactNode, useState } from "react";
import { createPortal } from "react-dom";
import { StateBadge } from "../parts/state-badge.tsx";
import { createWords } from "../words/create.ts";
import { assignmentName } from "./assignment-name.ts";
import { ChangedMeanwhile } from "./changed-meanwhile.tsx";
import { EditedRolesForm } from "./edited-roles-form.tsx";
import { unsavedText } from "./role-difference.ts";
import { useEditedRoles } from "./use-edited-roles.ts";

type Props = {
  id: string;
  /** The place in the dialog for the button that saves. */
  actions: HTMLElement | null;
  onOpen: () => void;
};

/** Says that the user already has an assignment there, and edits its roles in place. */
export function EditExisting({ id, actions, onOpen }: Props) {
  const { data } = useQuery(AuthorizationService.method.listAuthorizations, {
    filters: [{ filter: { case: "authorizationIds", value: { ids: [id] } } }],
  });
  // What the person decides on stays what it was, also when the page asks again.
  const [shown, setShown] = useState<Authorization>();
  const existing = data?.authorizations[0];
  if (existing !== undefined && shown?.id !== id) setShown(existing);
  return (
    <>
      <section className="note" role="alert">
        <p>
          <strong>{createWords.existing.there}</strong> {createWords.existing.edit}
        </p>
        {existing && (
          <p>
            {assignmentName(existing)}: <StateBadge of={existing} />
          </p>
        )}
        <button type="button" onClick={onOpen}>
          {createWords.existing.open}
        </button>
      </section>
      {shown?.id === id && <Roles key={id} shown={shown} actions={actions} onSaved={onOpen} />}
    </>
  );
}

type RolesProps = { shown: Authorization; actions: HTMLElement | null; onSaved: () => void };

function Roles({ shown, actions, onSaved }: RolesProps) {
  const edited = useEditedRoles(shown, onSaved);
  const { problem, isRunning, isReady } = edited;
  const button = (label: ReactNode, isOff: boolean, run: () => void) =>
    actions &&
    createPortal(
      <button type="button" className="primary" aria-disabled={isOff} onClick={() => !isOff && run()}>
        {label}
      </button>,
      actions,
    );

  if (problem?.case === "changed") {
    const { now } = problem.latest;
    return (
      <>
        <ChangedMeanwhile shown={edited.base} latest={problem.latest} />
        {now && <p>{unsavedText(now, edited.difference, edited.name)}</p>}
        {now && button(createWords.existing.goOn, false, () => edited.startFrom(now))}
      </>
    );
  }
  return (
    <>
      <EditedRolesForm edited={edited} />
      {button(isRunning ? createWords.saving : createWords.save, !isReady, () => void edited.save())}
    </>
  );
}
