import type { Authorization } from "@authorization-service/client";
import { useMemo, useState } from "react";
import { nameOf } from "../parts/role-chips.tsx";
import { useReason } from "../reason/use-reason.tsx";
import { useRemember } from "../undo/use-remember.ts";
import { rolesWords } from "../words/assignment-changes.ts";
import { undoWords } from "../words/undo.ts";
import { assignmentName } from "./assignment-name.ts";
import { choicesOf, placeOf, type RoleChoice, unlistedOf, useOfferedRoles } from "./offered-roles.ts";
import { differenceOf, isNoDifference, keysOf, reportOf } from "./role-difference.ts";
import { useRoleEditing } from "./use-role-editing.ts";

/** The roles of an assignment while they are edited: what is offered, what is ticked, and what came of saving. */
export function useEditedRoles(shown: Authorization, onSaved: () => void) {
  const offered = useOfferedRoles(placeOf(shown));
  const { tell } = useRemember();
  const reason = useReason();
  const editing = useRoleEditing(shown, {
    onSaved(saved, since) {
      const done = reportOf(differenceOf(keysOf(editing.base), saved), name);
      tell(rolesWords.isSaved(assignmentName(shown), done), {
        undone: undoWords.done(undoWords.hasRoles(assignmentName(shown))),
        made: [{ what: "roles", row: editing.base, since }],
        reason: reason.text,
      });
      onSaved();
    },
    onRefused: () => void offered.refetch(),
  });
  const { base, difference } = editing;
  const isSame = isNoDifference(difference);
  const project = offered.data?.project;
  // A selected role that was removed in the meantime keeps its box, so people can clear it.
  const [ticked, setTicked] = useState<readonly RoleChoice[]>([]);
  const choices = useMemo(
    () => choicesOf(project, [...base.roles, ...shown.roles, ...ticked]),
    [project, base, shown, ticked],
  );
  const name = (key: string) => nameOf(choices.find((choice) => choice.key === key) ?? { key, displayName: "" });
  return {
    ...editing,
    offered,
    choices,
    unlisted: unlistedOf(project),
    name,
    reasonField: reason.field,
    isSame,
    isReady: !isSame && !reason.isMissing && !editing.isRunning,
    save: () => editing.save(reason.text),
    tick(next: ReadonlySet<string>) {
      editing.setWanted(next);
      setTicked(choices.filter(({ key }) => next.has(key)));
    },
  };
}

export type EditedRoles = ReturnType<typeof useEditedRoles>;
