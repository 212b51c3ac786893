import fc from "fast-check";
import { anyRange, upToThree } from "./generate-events.ts";
import { anyPage } from "./generate-lists.ts";
import { anyOf } from "./generate-names.ts";
import { ids, mostly } from "./generate-world.ts";
import type { DirectoryEventFilter } from "./model/list-directory-events.ts";
import { directoryFilterKinds, type PlannedDirectoryEventFilter, thingKinds } from "./resolve-directory-events.ts";

const anyId = (kind: string, things: readonly string[]) =>
  anyOf([...things, ""]).map((id): DirectoryEventFilter => ({ [kind]: { id } }));

/** Mostly about an event that the caller sees. */
const anyFilter: fc.Arbitrary<PlannedDirectoryEventFilter> = fc.oneof(
  {
    weight: 16,
    arbitrary: fc.record({
      near: fc.nat(30),
      kind: fc.constantFrom(...directoryFilterKinds),
      seen: mostly(true),
      finer: mostly(false),
    }),
  },
  anyId("id", [...ids.users, ...ids.roleKeys, ...ids.projectGrants]),
  anyId("userId", ids.users),
  anyId("projectId", ids.projects),
  anyId("organizationId", ids.organizations),
  anyId("actorId", ids.users),
  fc.subarray([...thingKinds]).map((kinds): DirectoryEventFilter => ({ kinds: { kinds } })),
  anyRange,
);

export const anyListDirectoryEvents = fc
  .record({ pagination: anyPage, filters: upToThree(anyFilter, 30) }, { requiredKeys: ["filters"] })
  .map((listDirectoryEvents) => ({ listDirectoryEvents }));
