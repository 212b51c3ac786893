import type { Authorization } from "@authorization-service/client";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { type ReactNode, useMemo, useState } from "react";
import { nameOf } from "../parts/role-chips.tsx";
import { useReason } from "../reason/use-reason.tsx";
import { assignmentChangeWords, rolesWords } from "../words/assignment-changes.ts";
import { undoWords } from "../words/undo.ts";
import { assignmentName, placeName, userName } from "./assignment-name.ts";
import { placeKey } from "./batch-change.ts";
import type { Said } from "./batch-outcome.ts";
import { isNew, slotOf } from "./new-row.ts";
import { choicesOf, placeOf, type RoleChoice, unlistedOf, useOfferedRoles } from "./offered-roles.ts";
import { appliedTo, differenceOf, isNoDifference, keysOf, reportOf } from "./role-difference.ts";
import { useOneChange } from "./use-one-change.ts";

type Edited = {
  /** The assignment that is edited; for a new one, its place. */
  readonly of: string;
  /** What the person decides on. It stays what it was, also when the page asks again. */
  readonly base: Authorization;
  readonly wanted: ReadonlySet<string>;
  /** A selected role that was removed in the meantime keeps its box, so people can clear it. */
  readonly ticked: readonly RoleChoice[];
};

type Options = {
  readonly onSaved: (id: string) => void;
  /** What is ticked at first, of a new assignment. */
  readonly first?: readonly RoleChoice[];
  /** When a new assignment ends. */
  readonly end?: Timestamp | undefined;
};

/** The roles of an assignment, or of one to create, while they are edited: what is offered and ticked, and what came of saving. */
export function useEditedRoles(shown: Authorization, { onSaved, first = [], end }: Options) {
  const place = placeOf(shown);
  const offered = useOfferedRoles(place.projectId === "" ? undefined : place);
  const reason = useReason();
  const of = isNew(shown) ? placeKey(shown) : shown.id;
  const [edited, setEdited] = useState<Edited>(() => ({
    ...{ of, base: shown, ticked: first },
    wanted: new Set([...keysOf(shown), ...first.map(({ key }) => key)]),
  }));
  const isOther = edited.of !== of;
  const base = isOther || isNew(shown) ? shown : edited.base;
  const wanted = isOther ? keysOf(shown) : edited.wanted;
  const ticked = isOther ? noneTicked : edited.ticked;
  const difference = differenceOf(keysOf(base), wanted);
  const project = offered.data?.project;
  const choices = useMemo(
    () => choicesOf(project, [...base.roles, ...shown.roles, ...ticked]),
    [project, base, shown, ticked],
  );
  const name = (key: string) => nameOf(choices.find((choice) => choice.key === key) ?? { key, displayName: "" });
  const { problemWith, isRunning, start, look, reset } = useOneChange({
    says: () => saidOf(base, reportOf(difference, name)),
    onDone: (id) => onSaved(id),
    onProblem: (problem) => problem.case === "failed" && void offered.refetch(),
  });
  const problem = problemWith(base);
  const isSame = !isNew(base) && isNoDifference(difference);
  return {
    base,
    wanted,
    difference,
    offered,
    choices,
    unlisted: unlistedOf(project),
    name,
    problem,
    isRunning,
    reasonField: reason.field as ReactNode,
    isSame,
    isReady: !isSame && !reason.isMissing && !isRunning && problem?.case !== "uncertain",
    look,
    save: () => start({ kind: "give", wishes: new Map([[slotOf(base), difference]]), end }, base, reason.text),
    tick: (next: ReadonlySet<string>) =>
      setEdited({ of, base, wanted: next, ticked: choices.filter(({ key }) => next.has(key)) }),
    /** Continues with someone else's version and the same difference. The next click saves it. */
    startFrom(now: Authorization) {
      setEdited({ of, base: now, wanted: appliedTo(keysOf(now), difference), ticked });
      reset();
    },
  };
}

export type EditedRoles = ReturnType<typeof useEditedRoles>;

const noneTicked: readonly RoleChoice[] = [];

function saidOf(row: Authorization, report: string): Said {
  const name = assignmentName(row);
  if (!isNew(row)) {
    const what = rolesWords.isSaved(name, report);
    return { name, verb: rolesWords.saved, what, undone: undoWords.done(undoWords.hasRoles(name)) };
  }
  const what = assignmentChangeWords.isAssigned(userName(row), placeName(row));
  return { name, verb: assignmentChangeWords.created, what, undone: undoWords.done(undoWords.isGone(name)) };
}
