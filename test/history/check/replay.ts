import type { History, Row, StoredEvent, Violation } from "../operation.ts";
import { describeEvent, describeRow } from "./describe.ts";
import { ended, hasPassed, rowText } from "./rows.ts";

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
  for (const [key, ofKey] of Map.groupBy(events, (event) => event.key)) {
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

function follow(row: Row | undefined, event: StoredEvent): Row | undefined {
  const { key, id, type, date, roles, state, expirationDate } = event;
  if (state === null) return undefined;
  const creationDate = type === "user.grant.added" ? date : (row?.creationDate ?? Number.NaN);
  const isSetByHand = type === "user.grant.deactivated";
  const expired = state === "inactive" && !isSetByHand && (type === "user.grant.expired" || row?.expired === true);
  return { key, id, creationDate, changeDate: date, state, roles, expirationDate, expired };
}

/** What is wrong with an event after those before it. */
function misfit(row: Row | undefined, before: StoredEvent | undefined, event: StoredEvent): string | undefined {
  if (event.type === "user.grant.added") return row === undefined ? undefined : "added while it was there";
  if (row === undefined || row.id !== event.id) return "an event of what was not there";
  if (before !== undefined && event.date <= before.date) return "the date of an event is not later than the one before";
  if (event.expirationDateBefore !== row.expirationDate) return "an event with another end before it";
  const isEnd = event.type === "user.grant.expired";
  if (!isEnd && row.state === "active" && hasPassed(row.expirationDate, event.date))
    return "an end of which no event tells";
  const same = event.state === row.state;
  const sameEnd = event.expirationDate === row.expirationDate;
  const alike = sameEnd && event.roles === row.roles;
  switch (event.type) {
    case "user.grant.expired":
      return alike && !same && event.actor === null && event.date === ended(row).changeDate ? undefined : "no end";
    case "user.grant.changed": {
      const fits = event.state === (row.expired && !sameEnd ? "active" : row.state);
      return fits && !alike ? undefined : "a change of roles that is none";
    }
    case "user.grant.cascade.changed":
      return same && sameEnd && event.roles.length < row.roles.length ? undefined : "a cascade that takes no role";
    case "user.grant.deactivated":
      return (!same || row.expired) && event.state === "inactive" && alike ? undefined : "no deactivation";
    case "user.grant.reactivated": {
      const isPossible = !same && event.state === "active" && !hasPassed(row.expirationDate, event.date);
      return isPossible && alike ? undefined : "no reactivation";
    }
    case "user.grant.removed":
      return event.state === null && event.roles === "" ? undefined : "removed, and yet there";
    default:
      return "an event of a type that nothing here makes";
  }
}

function described(event: StoredEvent | undefined): string[] {
  return event === undefined ? [] : [describeEvent(event)];
}
