import type { Combination, DirectoryCall, Moment, Operation, Outcome, Row, StoredEvent } from "../operation.ts";
import { fair, home, noRole, type Rights, rightsOf, seasonal } from "../world.ts";
import type { Timed } from "./line.ts";
import type { Model } from "./linearizable.ts";
import { groupBy, wanted, wantOf } from "./makers.ts";
import { rowText, sameRow } from "./rows.ts";

/** What can happen to one combination, or be seen of it. */
export type Step = Timed &
  (
    | { readonly kind: "operation"; readonly operation: Operation; readonly made: StoredEvent | undefined }
    | { readonly kind: "directory"; readonly call: DirectoryCall }
    /** What was stored when everybody had stopped. */
    | { readonly kind: "end"; readonly row: Row | undefined }
  );

export type State = {
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
 */
export function authorizationModel(on: Combination, events: readonly StoredEvent[]): Model<State, Step> {
  const cascades = events.filter(({ type }) => type === "user.grant.cascade.changed");
  const eventsOf = groupBy(events, ({ id }) => id);
  return {
    initial: { present: undefined, removed: undefined, isDefined: true, isGranted: true },
    step(state, step) {
      if (step.kind === "end") return sameRow(state.present, step.row) ? state : undefined;
      if (step.kind === "directory") return changeDirectory(state, step.call, on, cascades);
      return operate(state, step.operation, step.made, eventsOf);
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

function operate(
  state: State,
  operation: Operation,
  made: StoredEvent | undefined,
  eventsOf: ReadonlyMap<string, readonly StoredEvent[]>,
): State | undefined {
  const { outcome } = operation;
  const expected = expect(state, operation, rightsOf(operation.client, operation.on));
  if (outcome.kind === "unknown") {
    // Without an event it never happened; whatever changes nothing need not have happened.
    const event = state.present === undefined ? made : eventAfter(state.present, eventsOf);
    if (expected.kind !== "change" || event === undefined || event.date <= expected.after) return undefined;
    return wanted(event) === wantOf(operation) ? expected.to(event.id, event.date) : undefined;
  }
  if (expected.kind === "answer") return sameOutcome(expected.outcome, outcome) ? state : undefined;
  if (outcome.kind !== "done" || outcome.date <= expected.after) return undefined;
  return expected.to(outcome.id ?? "", outcome.date);
}

/** What happened next to what is there: only that can a call have done of which nobody heard. */
function eventAfter(
  { id, changeDate }: Row,
  eventsOf: ReadonlyMap<string, readonly StoredEvent[]>,
): StoredEvent | undefined {
  const later = (eventsOf.get(id) ?? []).filter(({ date }) => date > changeDate);
  return later.reduce<StoredEvent | undefined>((a, b) => (a !== undefined && a.date < b.date ? a : b), undefined);
}

function expect(state: State, { request, on }: Operation, rights: Rights): Expected {
  const { present } = state;
  if (request.kind === "read") {
    const seen = rights.see && (request.id === undefined || request.id === present?.id) ? present : undefined;
    return answer({ kind: "shown", row: seen });
  }
  if (request.kind === "create") {
    if (!rights.write) return refuse("PERMISSION_DENIED");
    if (!assignable(state, on, request.roles)) return refuse("ROLE_NOT_FOUND");
    if (present !== undefined) return answer({ kind: "refused", reason: "AUTHORIZATION_EXISTS", id: present.id });
    return {
      kind: "change",
      after: Number.NEGATIVE_INFINITY,
      to: (id, date) => ({
        ...state,
        present: { key: on.key, id, creationDate: date, changeDate: date, state: "active", roles: request.roles },
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
    const to = (_: string, date: Moment) => {
      return { ...state, present: undefined, removed: { id: present.id, date, before: state.removed } };
    };
    return { kind: "change", after, to };
  }
  const wanted: Pick<Row, "state" | "roles"> =
    request.kind === "update"
      ? { state: present.state, roles: request.roles }
      : { state: request.kind === "activate" ? "active" : "inactive", roles: present.roles };
  if (wanted.state === present.state && wanted.roles === present.roles) return answer({ kind: "done", date: after });
  if (request.kind === "update" && !assignable(state, on, request.roles)) return refuse("ROLE_NOT_FOUND");
  const to = (_: string, date: Moment) => ({ ...state, present: { ...present, ...wanted, changeDate: date } });
  return { kind: "change", after, to };
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
  const after: State = { ...state, isDefined: change === "remove role" ? false : state.isDefined, isGranted: false };
  const { present } = state;
  const kept = withoutSeasonal(present?.roles ?? "");
  if (!leaves || present === undefined || kept === present.roles) return after;
  const event = cascades.find(({ id, date }) => id === present.id && date > present.changeDate);
  if (event?.roles !== kept) return undefined;
  return { ...after, present: { ...present, roles: kept, changeDate: event.date } };
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
