import type { Authorization } from "@authorization-service/client";
import { useMemo, useState } from "react";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { nameOf } from "../parts/role-chips.tsx";
import { useRemember } from "../undo/use-remember.ts";
import { undoWords } from "../words/undo.ts";
import { assignmentName, placeName, userName } from "./assignment-name.ts";
import { ChangedMeanwhile } from "./changed-meanwhile.tsx";
import { DialogFrame } from "./dialog-frame.tsx";
import { choicesOf, placeOf, type RoleChoice, unlistedOf, useOfferedRoles } from "./offered-roles.ts";
import { RoleBoxes } from "./role-boxes.tsx";
import {
  appliedTo,
  differenceOf,
  isNoDifference,
  keysOf,
  type RoleDifference,
  reportOf,
  sentenceOf,
} from "./role-difference.ts";
import { useRoleEditing } from "./use-role-editing.ts";

type Props = { shown: Authorization; onGone: () => void; onClose: () => void };

/** Edits the roles of an assignment: shows the difference, and saves it unless someone else was faster. */
export function EditRolesDialog({ shown, onGone, onClose }: Props) {
  const offered = useOfferedRoles(placeOf(shown));
  const { tell } = useRemember();
  const editing = useRoleEditing(shown, {
    onSaved(saved, since) {
      const done = reportOf(differenceOf(keysOf(editing.base), saved), name);
      tell(`${assignmentName(shown)} is saved: ${done}.`, {
        undone: undoWords.done(undoWords.hasRoles(assignmentName(shown))),
        made: [{ what: "roles", row: editing.base, since }],
      });
      onClose();
    },
    onRefused: () => void offered.refetch(),
  });
  const { base, wanted, difference, problem, isRunning } = editing;
  const project = offered.data?.project;
  // A selected role that was removed in the meantime keeps its box, so people can clear it.
  const [ticked, setTicked] = useState<readonly RoleChoice[]>([]);
  const choices = useMemo(
    () => choicesOf(project, [...base.roles, ...shown.roles, ...ticked]),
    [project, base, shown, ticked],
  );
  const name = (key: string) => nameOf(choices.find((choice) => choice.key === key) ?? { key, displayName: "" });
  const nothing = isNoDifference(difference);

  if (problem?.case === "changed") {
    const { now } = problem.latest;
    return (
      <DialogFrame
        title={now ? "Somebody else was faster" : "The assignment is gone"}
        onClose={now ? onClose : onGone}
        closeLabel={now ? "Leave it as it is" : "Close"}
        actions={
          now && (
            <button type="button" className="primary" onClick={() => editing.startFrom(now)}>
              Go on from what it is now
            </button>
          )
        }
      >
        <p>{assignmentName(shown)}</p>
        <ChangedMeanwhile shown={base} latest={problem.latest} />
        {now && <p>{unsavedText(differenceOf(keysOf(now), appliedTo(keysOf(now), difference)), name)}</p>}
      </DialogFrame>
    );
  }
  return (
    <DialogFrame
      title={`Roles of ${userName(shown)}`}
      isBusy={isRunning}
      onClose={onClose}
      actions={
        <button
          type="button"
          className="primary"
          aria-disabled={isRunning || nothing}
          onClick={() => !nothing && void editing.save()}
        >
          {isRunning ? "Saving…" : "Save"}
        </button>
      }
    >
      <p className="muted">{placeName(shown)}</p>
      {offered.error && <FailureNotice error={offered.error} onRetry={() => void offered.refetch()} />}
      {offered.data && (
        <RoleBoxes
          legend="Roles"
          choices={choices}
          chosen={wanted}
          onChange={(next) => {
            editing.setWanted(next);
            setTicked(choices.filter(({ key }) => next.has(key)));
          }}
          unlisted={unlistedOf(project)}
        />
      )}
      {offered.isLoading && <p role="status">Asking which roles can be assigned here…</p>}
      {problem?.case === "failed" && <FailureNotice error={problem.error} />}
      {problem?.case === "unsaved" && <p role="alert">It was not saved: the assignment is what it was. Save again.</p>}
      {problem?.case === "uncertain" && <Uncertain onLook={() => void editing.look()} />}
      <p className="difference" aria-live="polite">
        {nothing ? "Nothing is changed yet." : `Saving ${sentenceOf(difference, name)}.`}
      </p>
    </DialogFrame>
  );
}

/** The part of a change that is still to be saved, based on the roles after someone else's change. */
function unsavedText(left: RoleDifference, nameOfKey: (key: string) => string): string {
  if (isNoDifference(left)) return "Your change is there already.";
  return `Not saved yet: your change ${sentenceOf(left, nameOfKey)}.`;
}

function Uncertain({ onLook }: { onLook: () => void }) {
  return (
    <section className="notice-failure" role="alert">
      <p>The server did not answer: it is uncertain whether the roles were saved.</p>
      <button type="button" onClick={onLook}>
        Look at what they are
      </button>
    </section>
  );
}
