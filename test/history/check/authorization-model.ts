import type { Combination, DirectoryCall, Moment, Operation, Outcome, Row, StoredEvent } from "../operation.ts";
import { fair, home, noRole, type Rights, rightsOf, seasonal } from "../world.ts";
import type { Timed } from "./line.ts";
import type { Model } from "./linearizable.ts";
import { ended, hasPassed, rowText, sameRow } from "./rows.ts";

/** What can happen to one combination, or be seen of it. */
export type Step = Timed &
  (
    | { readonly kind: "operation"; readonly operation: Operation; readonly made: StoredEvent | undefined }
    | { readonly kind: "directory"; readonly call: DirectoryCall }
    /** What was stored when everybody had stopped. */
    | { readonly kind: "end"; readonly row: Row | undefined }
  );

export type State = {
  /** As it was last changed: that an end passes is no change, but what calls find by the moment at which they look. */
  readonly present: Row | undefined;
  readonly removed: Removed | undefined;
  /** Whether the seasonal role is one of the project, and of the grant. */
  readonly isDefined: boolean;
  readonly isGranted: boolean;
};

type Removed = { readonly id: string; readonly date: Moment; readonly before: Removed | undefined };

/**
 * What the service has to answer about one combination, call after call (docs/reference/). What a write without an
 * answer made of it, and a change of the directory, is told by the events.
 *
 * @param clockSkew how far the clock by which ends pass is from the calls' times, at most, in milliseconds
 */
export function authorizationModel(
  on: Combination,
  events: readonly StoredEvent[],
  clockSkew: number,
): Model<State, Step> {
  const cascades = events.filter(({ type }) => type === "user.grant.cascade.changed");
  const changes = events.filter(({ type }) => type !== "user.grant.expired");
  const changesOf = Map.groupBy(changes, ({ id }) => id);
  return {
    initial: { present: undefined, removed: undefined, isDefined: true, isGranted: true },
    step(state, step) {
      if (step.kind === "end") return isStored(state, step.row) ? state : undefined;
      if (step.kind === "directory") return changeDirectory(state, step.call, on, cascades);
      return operate(state, step.operation, { made: step.made, changesOf, clockSkew });
    },
    effectOf: (step) => (step.kind === "directory" ? step.call.change : step),
    keyOf: ({ present, removed, isDefined, isGranted }) =>
      `${rowText(present)} ${removed?.id} ${isDefined} ${isGranted}`,
  };
}

/** What the service answers in this state. A change is made at a date that only the answer tells. */
type Expected =
  | { readonly kind: "change"; readonly to: (id: string, date: Moment) => State; readonly after: Moment }
  | { readonly kind: "answer"; readonly outcome: Outcome };

type Known = {
  /** The event of the call. */
  readonly made: StoredEvent | undefined;
  /** The events of changes, by id. */
  readonly changesOf: ReadonlyMap<string, readonly StoredEvent[]>;
  readonly clockSkew: number;
};

/** It takes effect if it does at any moment at which it may have looked. */
function operate(state: State, operation: Operation, known: Known): State | undefined {
  for (const moment of momentsOf(state, operation, known)) {
    const after = operateAt(moment, state, operation, known);
    if (after !== undefined) return after;
  }
  return undefined;
}

/** One moment for each way in which ends may have passed or not when it looked. The date of a change tells its moment. */
function momentsOf({ present }: State, operation: Operation, known: Known): Moment[] {
  const { request, outcome, end } = operation;
  const { made, clockSkew } = known;
  const first = earliest(operation, known);
  const wanted = "expirationDate" in request ? request.expirationDate : undefined;
  const ends = [present?.expirationDate, wanted].filter((one) => typeof one === "number");
  const date = outcome.kind === "done" ? outcome.date : made?.date;
  const all = [first, ...ends.filter((one) => one > first && one <= (end + clockSkew) * 1_000)];
  return date === undefined ? all : [date, ...all];
}

function earliest({ start }: Operation, { clockSkew }: Known): Moment {
  return (start - clockSkew) * 1_000;
}

function at(moment: Moment, state: State): State {
  const { present } = state;
  return present && hasPassed(present.expirationDate, moment) ? { ...state, present: ended(present) } : state;
}

function operateAt(moment: Moment, state: State, operation: Operation, known: Known): State | undefined {
  const { outcome } = operation;
  const { made, changesOf } = known;
  const found = at(moment, state);
  const expected = expect(found, operation, rightsOf(operation.client, operation.on), moment);
  if (outcome.kind === "unknown") {
    // Without an event it never happened; whatever changes nothing need not have happened.
    const event = found.present === undefined ? made : eventAfter(found.present, changesOf);
    if (expected.kind !== "change" || event === undefined || event !== made) return undefined;
    return event.date === moment && moment > expected.after ? expected.to(event.id, event.date) : undefined;
  }
  if (expected.kind === "answer") {
    const isEarly = moment < earliest(operation, known);
    return !isEarly && sameOutcome(expected.outcome, outcome) ? state : undefined;
  }
  if (outcome.kind !== "done" || outcome.date !== moment || moment <= expected.after) return undefined;
  return expected.to(outcome.id ?? "", outcome.date);
}

/** Whether what is stored in the end is what is there, with its end written or not. */
function isStored({ present }: State, row: Row | undefined): boolean {
  return sameRow(present, row) || (present !== undefined && sameRow(ended(present), row));
}

/** What happened next to what is there: only that can a call have done of which nobody heard. */
function eventAfter({ id, changeDate }: Row, changesOf: Known["changesOf"]): StoredEvent | undefined {
  const later = (changesOf.get(id) ?? []).filter(({ date }) => date > changeDate);
  return later.reduce<StoredEvent | undefined>((a, b) => (a !== undefined && a.date < b.date ? a : b), undefined);
}

function expect(state: State, { request, on }: Operation, rights: Rights, moment: Moment): Expected {
  const { present } = state;
  if (request.kind === "read") {
    const seen = rights.see && (request.id === undefined || request.id === present?.id) ? present : undefined;
    return answer({ kind: "shown", row: seen });
  }
  if (request.kind === "create") {
    if (!rights.write) return refuse("PERMISSION_DENIED");
    if (!assignable(state, on, request.roles)) return refuse("ROLE_NOT_FOUND");
    const { roles, expirationDate } = request;
    if (hasPassed(expirationDate, moment)) return refuse("EXPIRATION_NOT_IN_FUTURE");
    if (present !== undefined) return answer({ kind: "refused", reason: "AUTHORIZATION_EXISTS", id: present.id });
    return {
      kind: "change",
      after: Number.NEGATIVE_INFINITY,
      to: (id, date) => ({
        ...state,
        present: {
          ...{ key: on.key, id, creationDate: date, changeDate: date, state: "active", roles },
          ...{ expirationDate, expired: false },
        },
      }),
    };
  }
  if (present === undefined || present.id !== request.id || !rights.see) {
    const date = request.kind === "delete" && rights.delete ? removalDate(state.removed, request.id) : undefined;
    return date === undefined ? refuse("AUTHORIZATION_NOT_FOUND") : answer({ kind: "done", date });
  }
  if (!(request.kind === "delete" ? rights.delete : rights.write)) return refuse("PERMISSION_DENIED");
  const { ifUnchangedSince } = request;
  if (ifUnchangedSince !== undefined && ifUnchangedSince !== present.changeDate) {
    return answer({ kind: "refused", reason: "AUTHORIZATION_CHANGED", changeDate: present.changeDate });
  }
  const after = present.changeDate;
  if (request.kind === "delete") {
    const removed = (_: string, date: Moment) => {
      return { ...state, present: undefined, removed: { id: present.id, date, before: state.removed } };
    };
    return { kind: "change", after, to: removed };
  }
  const to = (wanted: Partial<Row>) => (_: string, date: Moment) => {
    return { ...state, present: { ...present, ...wanted, changeDate: date } };
  };
  if (request.kind !== "update") {
    const wanted = request.kind === "activate" ? "active" : "inactive";
    if (wanted === present.state && !present.expired) return answer({ kind: "done", date: after });
    if (wanted === "active" && hasPassed(present.expirationDate, moment)) return refuse("AUTHORIZATION_EXPIRED");
    return { kind: "change", after, to: to({ state: wanted, expired: false }) };
  }
  const { roles, expirationDate: given } = request;
  const expirationDate = given === "none" ? undefined : (given ?? present.expirationDate);
  if (roles === present.roles && expirationDate === present.expirationDate)
    return answer({ kind: "done", date: after });
  if (!assignable(state, on, roles)) return refuse("ROLE_NOT_FOUND");
  if (given !== undefined && hasPassed(expirationDate, moment)) return refuse("EXPIRATION_NOT_IN_FUTURE");
  const isRenewed = present.expired && given !== undefined;
  const renewed = isRenewed ? ({ state: "active", expired: false } as const) : {};
  return { kind: "change", after, to: to({ roles, expirationDate, ...renewed }) };
}

/** The directory answers how many changes it applied, never which authorizations followed. */
function changeDirectory(
  state: State,
  { change, outcome }: DirectoryCall,
  on: Combination,
  cascades: readonly StoredEvent[],
): State | undefined {
  const refused = change === "grant key" && !state.isDefined;
  if (outcome.kind === "refused") return refused && outcome.reason === "ROLE_NOT_FOUND" ? state : undefined;
  if (refused) return undefined;
  if (change === "add role") return { ...state, isDefined: true };
  if (change === "grant key") return { ...state, isGranted: true };
  const leaves = change === "remove role" ? true : on.organizationId !== home;
  const rest: State = { ...state, isDefined: change === "remove role" ? false : state.isDefined, isGranted: false };
  const { present } = state;
  const kept = withoutSeasonal(present?.roles ?? "");
  if (!leaves || present === undefined || kept === present.roles) return rest;
  const event = cascades.find(({ id, date }) => id === present.id && date > present.changeDate);
  if (event?.roles !== kept) return undefined;
  const found = at(event.date, state).present;
  return { ...rest, present: found && { ...found, roles: kept, changeDate: event.date } };
}

function assignable(state: State, on: Combination, roles: string): boolean {
  const keys = roles.split(",");
  if (keys.includes(noRole)) return false;
  if (on.projectId !== fair || !keys.includes(seasonal)) return true;
  return on.organizationId === home ? state.isDefined : state.isGranted;
}

function withoutSeasonal(roles: string): string {
  return roles
    .split(",")
    .filter((key) => key !== seasonal)
    .join(",");
}

function removalDate(removed: Removed | undefined, id: string): Moment | undefined {
  for (let one = removed; one !== undefined; one = one.before) if (one.id === id) return one.date;
  return undefined;
}

function answer(outcome: Outcome): Expected {
  return { kind: "answer", outcome };
}

function refuse(reason: string): Expected {
  return answer({ kind: "refused", reason });
}

function sameOutcome(a: Outcome, b: Outcome): boolean {
  if (a.kind === "shown" && b.kind === "shown") return sameRow(a.row, b.row);
  if (a.kind === "done" && b.kind === "done") return a.date === b.date && b.id === undefined;
  if (a.kind !== "refused" || b.kind !== "refused") return false;
  return a.reason === b.reason && a.id === b.id && a.changeDate === b.changeDate;
}
