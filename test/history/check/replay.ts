import type { History, Row, StoredEvent, Violation } from "../operation.ts";
import { describeEvent, describeRow } from "./describe.ts";
import { groupBy } from "./makers.ts";
import { rowText } from "./rows.ts";

/** What an authorization was after each of its events; undefined once it was removed. */
export type Version = { readonly event: StoredEvent; readonly row: Row | undefined };

/** Events tell what there is: one after the other they give every authorization as it is stored, and no other. */
export function replay({ events, rows }: Pick<History, "events" | "rows">): {
  /** By combination. */
  versions: Map<string, Version[]>;
  violations: Violation[];
} {
  const violations: Violation[] = [];
  const versions = new Map<string, Version[]>();
  const stored = new Map(rows.map((row) => [row.key, row]));
  for (const [key, ofKey] of groupBy(events, (event) => event.key)) {
    let row: Row | undefined;
    let before: StoredEvent | undefined;
    const all: Version[] = [];
    for (const event of ofKey) {
      const problem = misfit(row, before, event);
      if (problem !== undefined) violations.push({ what: problem, details: [before, event].flatMap(described) });
      row = follow(row, event);
      all.push({ event, row });
      before = event;
    }
    versions.set(key, all);
    if (rowText(row) !== rowText(stored.get(key))) {
      violations.push({
        what: "the events tell something else than what is stored",
        details: [`told: ${describeRow(row)}`, `stored: ${describeRow(stored.get(key))}`, ...described(before)],
      });
    }
  }
  for (const row of rows) {
    if (!versions.has(row.key)) violations.push({ what: "stored without any event", details: [describeRow(row)] });
  }
  return { versions, violations };
}

function follow(row: Row | undefined, { key, id, type, date, roles, state }: StoredEvent): Row | undefined {
  if (state === null) return undefined;
  const creationDate = type === "user.grant.added" ? date : (row?.creationDate ?? Number.NaN);
  return { key, id, creationDate, changeDate: date, state, roles };
}

/** What is wrong with an event after those before it. */
function misfit(row: Row | undefined, before: StoredEvent | undefined, event: StoredEvent): string | undefined {
  if (event.type === "user.grant.added") return row === undefined ? undefined : "added while it was there";
  if (row === undefined || row.id !== event.id) return "an event of what was not there";
  if (before !== undefined && event.date <= before.date) return "the date of an event is not later than the one before";
  const same = event.state === row.state;
  switch (event.type) {
    case "user.grant.changed":
      return same && event.roles !== row.roles ? undefined : "a change of roles that is none";
    case "user.grant.cascade.changed":
      return same && event.roles.length < row.roles.length ? undefined : "a cascade that takes no role";
    case "user.grant.deactivated":
      return !same && event.state === "inactive" && event.roles === row.roles ? undefined : "no deactivation";
    case "user.grant.reactivated":
      return !same && event.state === "active" && event.roles === row.roles ? undefined : "no reactivation";
    case "user.grant.removed":
      return event.state === null && event.roles === "" ? undefined : "removed, and yet there";
    default:
      return "an event of a type that nothing here makes";
  }
}

function described(event: StoredEvent | undefined): string[] {
  return event === undefined ? [] : [describeEvent(event)];
}
