import type { Authorization } from "@authorization-service/client";
import type { AdministratorEntry } from "@authorization-service/client/directory";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { useInsertionEffect, useSyncExternalStore } from "react";
import { useCaller } from "../caller.ts";
import { isSameMoment } from "../changes/same-moment.ts";
import { may } from "../directory/rights.ts";
import { undoWords } from "../words/undo.ts";

/** A change of an assignment that was made here. */
export type Made = {
  readonly what: "state" | "roles" | "end" | "created" | "deleted";
  /** The assignment before the change; if it was created, the new one. */
  readonly row: Authorization;
  /** The change date that the change gave it. It is undone only if it still has this date. */
  readonly since?: Timestamp | undefined;
};

/** One or many changes that were made together and are undone together. */
export type Undoable = {
  /** Distinguishes it from other changes. */
  readonly key: object;
  /** What was done, such as "20 assignments deactivated". */
  readonly what: string;
  /** What is said when it is undone. */
  readonly undone: string;
  readonly made: readonly Made[];
  /** Administrator roles that were removed. */
  readonly entries?: readonly AdministratorEntry[];
  /** Why it was done; may be empty. */
  readonly reason: string;
};

const none = {
  undoables: [] as readonly Undoable[],
  /** Whether nothing was changed since the last one that can be undone. */
  isLatest: true,
};

let state = none;
let run: ((undoable: Undoable) => void) | undefined;
const listeners = new Set<() => void>();

/** Keeps changes that the caller may undo, until the page is left. */
export function useRemember(): (undoable: Omit<Undoable, "key">) => Undoable | undefined {
  const caller = useCaller();
  // To undo a creation is to delete. Anything else needs the permission to write.
  const mayUndo = ({ what, row }: Made) =>
    may(caller, what === "created" ? "user.grant.delete" : "user.grant.write", row);
  return (undoable) => {
    const kept = { ...undoable, key: {}, made: undoable.made.filter(mayUndo) };
    if (kept.made.length + (kept.entries?.length ?? 0) === 0) return undefined;
    // Without a view, the person is gone, and the next one must not undo it.
    if (run !== undefined) become({ undoables: [...state.undoables, kept], isLatest: true });
    return kept;
  };
}

/** Something was changed that can't be undone. What can be undone is an earlier change then, and said to be. */
export function passOver(): void {
  become({ ...state, isLatest: false });
}

/** Undoes a change. A second call for the same change does nothing. */
export function undo({ key }: Pick<Undoable, "key">): void {
  const undoable = state.undoables.find((one) => one.key === key);
  if (undoable === undefined) return;
  become({ ...state, undoables: state.undoables.filter((one) => one !== undoable) });
  run?.(undoable);
}

/** The button that undoes it, of a message. */
export function undoAction(undoable: Undoable) {
  return { label: undoWords.undo, run: () => undo(undoable) };
}

/** A change that was undone, and the id and the change date that the assignment has now. */
export type Remade = { readonly made: Made; readonly id: string; readonly since: Made["since"] };

/**
 * Lets earlier changes of an assignment be undone after a later one: they then follow from what the assignment is now,
 * which is what it was before the later change.
 */
export function carryOn(undone: readonly Remade[]): void {
  const byId = new Map(undone.map((one) => [one.made.row.id, one]));
  const carried = (made: Made): Made => {
    const later = byId.get(made.row.id);
    if (later === undefined || !isSameMoment(made.since, later.made.row.changeDate)) return made;
    return { ...made, row: { ...made.row, id: later.id }, since: later.since };
  };
  become({ ...state, undoables: state.undoables.map((one) => ({ ...one, made: one.made.map(carried) })) });
}

/** The last change that can be undone, and whether it is the last change of all. */
export function useLastUndoable() {
  const { undoables, isLatest } = useSyncExternalStore(listen, () => state);
  return { last: undoables.at(-1), isLatest };
}

/** Undoes changes while the component is in a view, also in a kept one. They are forgotten with the view. */
export function useUndoing(undoing: (undoable: Undoable) => void): void {
  useInsertionEffect(() => {
    run = undoing;
  });
  useInsertionEffect(
    () => () => {
      run = undefined;
      // Without telling the listeners: they leave with the view, and React forbids updates here.
      state = none;
    },
    [],
  );
}

function become(next: typeof state) {
  state = next;
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
