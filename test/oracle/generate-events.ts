import fc from "fast-check";
import { anyPage } from "./generate-lists.ts";
import { anyOf } from "./generate-names.ts";
import { dates, ids, mostly } from "./generate-world.ts";
import { readNanoseconds } from "./model/dates.ts";
import type { DirectoryEventFilter } from "./model/list-directory-events.ts";
import type { EventFilter } from "./model/list-events.ts";
import { directoryFilterKinds, eventFilterKinds, eventTypes, type Planned, thingKinds } from "./resolve-events.ts";

const anyId = (kind: string, things: readonly string[]) => anyOf([...things, ""]).map((id) => ({ [kind]: { id } }));
type TimeFilter = Extract<EventFilter, { time: unknown }>;
const anyRange = fc
  .uniqueArray(fc.constantFrom(...dates, "2500-01-01T00:00:00.000000001Z"), { minLength: 1, maxLength: 2 })
  .chain(([one = "", other]) => {
    if (other === undefined) return fc.constantFrom<TimeFilter>({ time: { from: one } }, { time: { to: one } });
    return fc.constant<TimeFilter>({
      time: readNanoseconds(one) < readNanoseconds(other) ? { from: one, to: other } : { from: other, to: one },
    });
  });

/** Mostly about an event that the caller sees, at one of so many places. */
function anyFilters<Filter extends object>(
  kinds: readonly string[],
  places: number,
  ...others: fc.Arbitrary<Filter>[]
): fc.Arbitrary<Planned<Filter>[]> {
  const near = fc.record({
    ...{ near: fc.nat(places), kind: fc.constantFrom(...kinds) },
    ...{ seen: mostly(true), finer: mostly(false) },
  });
  const filter: fc.Arbitrary<Planned<Filter>> = fc.oneof({ weight: 16, arbitrary: near }, ...others);
  // Filters about the same event match at least that one.
  return fc
    .tuple(fc.array(filter, { maxLength: 3 }), fc.nat(places), mostly(true))
    .map(([filters, near, isSame]) =>
      filters.map((one) => ("near" in one && isSame ? { ...one, near, seen: true } : one)),
    );
}

const anyEventFilters = anyFilters<EventFilter>(
  eventFilterKinds,
  12,
  anyId("authorizationId", ids.authorizations),
  anyId("userId", ids.users),
  anyId("projectId", ids.projects),
  anyId("organizationId", ids.organizations),
  anyId("actorId", ids.users),
  fc.subarray([...eventTypes]).map((types): EventFilter => ({ types: { types } })),
  anyRange,
);

export const anyListEvents = fc
  .record({ pagination: anyPage, filters: anyEventFilters }, { requiredKeys: ["filters"] })
  .map((listEvents) => ({ listEvents }));

const anyDirectoryEventFilters = anyFilters<DirectoryEventFilter>(
  directoryFilterKinds,
  30,
  anyId("id", [...ids.users, ...ids.roleKeys, ...ids.projectGrants]),
  anyId("userId", ids.users),
  anyId("projectId", ids.projects),
  anyId("organizationId", ids.organizations),
  anyId("actorId", ids.users),
  fc.subarray([...thingKinds]).map((kinds): DirectoryEventFilter => ({ kinds: { kinds } })),
  anyRange,
);

export const anyListDirectoryEvents = fc
  .record({ pagination: anyPage, filters: anyDirectoryEventFilters }, { requiredKeys: ["filters"] })
  .map((listDirectoryEvents) => ({ listDirectoryEvents }));
