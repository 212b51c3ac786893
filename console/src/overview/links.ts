import { type AuthorizationsSearchFilter, State } from "@authorization-service/client";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { type AssignmentsSearch, writtenFilters } from "../assignments/search.ts";
import { asFilter, countOf, mostFilters } from "../filters/content.ts";

type Filter = AuthorizationsSearchFilter;

/** The first time after the range of timestamps. */
const endOfTime = Date.parse("+010000-01-01T00:00:00Z");

/** The link to the table that lists exactly what a bar counts, with the active filters and those of the bar. */
export function tableOf(inForce: readonly Filter[], ofBar: readonly Filter[] = []): AssignmentsSearch {
  const filters = writtenFilters([...inForce, ...ofBar]);
  return filters === undefined ? {} : { filters };
}

/** Created in [from, to), in milliseconds; without `from`, from the beginning. */
export function created({ from, to }: { from?: number; to: number }): Filter[] {
  const range = {
    ...(from !== undefined && { from: timestampFromMs(from) }),
    ...(to < endOfTime && { to: timestampFromMs(to) }),
  };
  return [asFilter({ case: "created", value: range })];
}

/** Active ones that end in so many days, from now on. */
export function endingWithin(days: number): Filter[] {
  const to = timestampFromMs(Date.now() + days * 86_400_000);
  return [asFilter({ case: "state", value: { state: State.ACTIVE } }), asFilter({ case: "expires", value: { to } })];
}

/** In none of the organizations; undefined if a request can't have that many filters. */
export function inOtherOrganizations(inForce: readonly Filter[], ids: readonly string[]): Filter[] | undefined {
  const named = ids.map((id) => asFilter({ case: "organizationId", value: { id } }));
  const others = [asFilter({ case: "not", value: asFilter({ case: "anyOf", value: { filters: named } }) })];
  return countOf([...inForce, ...others]) > mostFilters ? undefined : others;
}

export function forOtherProjects(ids: readonly string[]): Filter[] {
  return [asFilter({ case: "not", value: asFilter({ case: "projectIds", value: { ids: [...ids] } }) })];
}
