import { Refusal } from "../authorization/refusal.ts";
import type { Change, PlacedChange } from "./change.ts";

/** What someone has seen of the directory. Changes of it that are not visible in the snapshot came later. */
export type DirectoryVersion = {
  /** Identifies the database, and any copy of it. */
  readonly database: string;
  /** Which transactions had ended, as `xmin:xmax:` and those between them that had not. */
  readonly snapshot: string;
  /** The transaction of the request that got this version; empty if it changed nothing. */
  readonly own: string;
  /** The last event of the directory, as its sequence and its request. Empty if there was none. */
  readonly lastEvent: string;
};

/** A thing as its events name it (migrations/0006_directory_events.sql), and what it is in, if that isn't the instance. */
type EventKey = {
  readonly kind: string;
  readonly id: string;
  readonly within: string;
  readonly container?: { readonly kind: string; readonly id: string };
};

/** The thing that a change names. An assignment has events of its own. */
export function eventKeyOf(change: Change): EventKey {
  const thing = change.kind === "removal" ? change.thing : change;
  switch (thing.kind) {
    case "projectRole": {
      const { key: id, projectId: within } = thing;
      return { kind: thing.kind, id, within, container: { kind: "project", id: within } };
    }
    case "administrator": {
      const { kind, id } = thing.scope;
      return { kind: thing.kind, id: thing.userId, within: `${kind}:${id}`, container: thing.scope };
    }
    default:
      return { kind: thing.kind, id: thing.id, within: "" };
  }
}

/** Refuses a request because the thing that this change names has changed. */
export function changedSince({ position, change }: PlacedChange): Refusal {
  const { kind } = change.kind === "removal" ? change.thing : change;
  const index = String(position);
  return new Refusal("DIRECTORY_CHANGED", `changes[${index}]: this ${kind} has changed since ifVersion`, { index });
}
