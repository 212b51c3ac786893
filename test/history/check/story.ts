import type { Combination, History, ListCall, Operation, Outcome, Request, Row, StoredEvent } from "../operation.ts";
import { clientName, combination, home, shop } from "../world.ts";
import { verify } from "./verify.ts";

/** Short ways to write down a history in which everything happens to one authorization. Dates are small numbers. */

const on = combination("visitor-0", shop, home);
export const never = Number.POSITIVE_INFINITY;
/** May do everything. */
const owner = clientName(0);

type Call = { request: Request; outcome: Outcome; client?: string; on?: Combination };

export function call(
  start: number,
  end: number,
  { request, outcome, client = owner, on: place = on }: Call,
): Operation {
  const target = "id" in request ? request.id : place.key;
  const reason = `${client}: ${request.kind} ${target} ${"roles" in request ? request.roles : ""}`;
  return { start, end, request, outcome, client, server: "A", reason, on: place };
}

export const done = (date: number, id?: string): Outcome => ({
  kind: "done",
  date,
  ...(id === undefined ? {} : { id }),
});
export const unknown: Outcome = { kind: "unknown", why: "hung up" };
export const refused = (reason: string, more: object = {}): Outcome => ({ kind: "refused", reason, ...more });

export const create = (roles: string): Request => ({ kind: "create", roles });
export const update = (roles: string, ifUnchangedSince?: number): Request => {
  return { kind: "update", id: "a", roles, ifUnchangedSince };
};
export const deactivate: Request = { kind: "deactivate", id: "a" };
export const activate: Request = { kind: "activate", id: "a" };
export const remove: Request = { kind: "delete", id: "a" };

export function read(start: number, end: number, row: Row | undefined): Operation {
  return call(start, end, { request: { kind: "read" }, outcome: { kind: "shown", row } });
}

export function row(changeDate: number, roles: string, more: Partial<Row> = {}): Row {
  return { key: on.key, id: "a", creationDate: 1, changeDate, state: "active", roles, expired: false, ...more };
}

export function list(start: number, end: number, rows: Row[], more: Partial<ListCall["scope"]> = {}): ListCall {
  const outcome: Outcome = { kind: "listed", rows, total: rows.length };
  return { start, end, client: owner, server: "A", outcome, scope: { offset: 0, limit: 10, ...more } };
}

/** An event in the order in which they are told. */
export function event(type: string, date: number, roles: string, more: Partial<StoredEvent> = {}): StoredEvent {
  const isEnd = type === "expired";
  const told: Omit<StoredEvent, "reason"> = {
    ...{ sequence: date, key: on.key, id: "a", type: `user.grant.${type}`, date, roles, actor: isEnd ? null : owner },
    ...{ state: type === "removed" ? null : isEnd ? "inactive" : "active", ...more },
  };
  const kinds: Record<string, string> = {
    added: `create ${told.key} ${roles}`,
    changed: `update ${told.id} ${roles}`,
    deactivated: `deactivate ${told.id} `,
    reactivated: `activate ${told.id} `,
    removed: `delete ${told.id} `,
  };
  return { reason: `${told.actor}: ${kinds[type] ?? ""}`, ...told };
}

export const created = call(0, 1, { request: create("seller"), outcome: done(1, "a") });
export const added = event("added", 1, "seller");
export const updated = call(2, 3, { request: update("buyer"), outcome: done(2) });
export const changed = event("changed", 2, "buyer");

/** One with an end at 5 ms, in microseconds; before it, from then on, and the event of it. */
export const end = 5_000;
export const ending: Request = { kind: "create", roles: "seller", expirationDate: end };
export const createdWithEnd = call(0, 1, { request: ending, outcome: done(1, "a") });
export const addedWithEnd = event("added", 1, "seller", { expirationDate: end });
export const inForce = row(1, "seller", { expirationDate: end });
export const over: Row = { ...inForce, state: "inactive", changeDate: end, expired: true };
export const itsEnd = event("expired", end, "seller", { expirationDate: end, expirationDateBefore: end });
/** An update of it that gives another end. */
export const renew = (expirationDate: number | "none"): Request => {
  return { kind: "update", id: "a", roles: "seller", expirationDate };
};
export function renewed(
  date: number,
  expirationDate: number | undefined,
  more: Partial<StoredEvent> = {},
): StoredEvent {
  return event("changed", date, "seller", { expirationDateBefore: end, expirationDate, ...more });
}

export const noOrder = "no order explains the answers";

export function history(given: Partial<History>): History {
  return { operations: [], lists: [], directory: [], events: [], rows: [], clockSkew: 0, ...given };
}

/** What is wrong with a history, without names and numbers. */
export function wrong(given: Partial<History>, combinations = [on]): string[] {
  return verify(history(given), combinations).map(({ what }) => what.replace(/:.*/, ""));
}
