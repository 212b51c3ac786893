import fc from "fast-check";
import { anyPage } from "./generate-lists.ts";
import { anyOf } from "./generate-names.ts";
import { dates, ids, mostly } from "./generate-world.ts";
import { readNanoseconds } from "./model/dates.ts";
import type { EventFilter } from "./model/list-events.ts";
import { eventFilterKinds, eventTypes, type PlannedEventFilter } from "./resolve-events.ts";

const anyId = (kind: string, things: readonly string[]) =>
  anyOf([...things, ""]).map((id): EventFilter => ({ [kind]: { id } }));
const anyTypes = fc.subarray([...eventTypes]).map((types): EventFilter => ({ types: { types } }));
type TimeFilter = Extract<EventFilter, { time: unknown }>;
export const anyRange = fc
  .uniqueArray(fc.constantFrom(...dates, "2500-01-01T00:00:00.000000001Z"), { minLength: 1, maxLength: 2 })
  .chain(([one = "", other]) => {
    if (other === undefined) return fc.constantFrom<TimeFilter>({ time: { from: one } }, { time: { to: one } });
    return fc.constant<TimeFilter>({
      time: readNanoseconds(one) < readNanoseconds(other) ? { from: one, to: other } : { from: other, to: one },
    });
  });

/** Mostly about an event that the caller sees. */
const anyFilter: fc.Arbitrary<PlannedEventFilter> = fc.oneof(
  {
    weight: 16,
    arbitrary: fc.record({
      near: fc.nat(12),
      kind: fc.constantFrom(...eventFilterKinds),
      seen: mostly(true),
      finer: mostly(false),
    }),
  },
  anyId("authorizationId", ids.authorizations),
  anyId("userId", ids.users),
  anyId("projectId", ids.projects),
  anyId("organizationId", ids.organizations),
  anyId("actorId", ids.users),
  anyTypes,
  anyRange,
);

/** Filters about the same event match at least that one. */
export function upToThree<Filter extends object>(filter: fc.Arbitrary<Filter>, places: number): fc.Arbitrary<Filter[]> {
  return fc
    .tuple(fc.array(filter, { maxLength: 3 }), fc.nat(places), mostly(true))
    .map(([filters, near, isSame]) =>
      filters.map((one) => ("near" in one && isSame ? { ...one, near, seen: true } : one)),
    );
}

export const anyListEvents = fc
  .record({ pagination: anyPage, filters: upToThree(anyFilter, 12) }, { requiredKeys: ["filters"] })
  .map((listEvents) => ({ listEvents }));
