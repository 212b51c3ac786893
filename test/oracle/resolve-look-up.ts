import type { LookUpFilter, LookUpRequest } from "./model/look-ups.ts";
import type { World } from "./model/world.ts";
import type { PlannedLookUp, PlannedLookUpFilter } from "./operations.ts";
import { pieceOf } from "./resolve-list.ts";

/** Makes the filters of a look-up from names there are, so that they often match some and not all. */
export function lookUpRequestOf(world: World, { rpc, filters, ...rest }: PlannedLookUp): LookUpRequest {
  return { ...rest, filters: filters.map((filter) => filterOf(world, rpc, filter)) };
}

function filterOf(world: World, rpc: PlannedLookUp["rpc"], filter: PlannedLookUpFilter): LookUpFilter {
  if (!("near" in filter)) return filter;
  const names = namesOf(world, rpc, filter.kind);
  const text = pieceOf(filter, names[filter.near % names.length] ?? "");
  if (filter.kind === "search") return { search: { text: text || "a" } };
  return { [filter.kind]: { text, method: filter.method } } as LookUpFilter;
}

function namesOf(world: World, rpc: PlannedLookUp["rpc"], kind: string): string[] {
  switch (rpc) {
    case "ListOrganizations":
      return [...world.organizations.values()].map(({ name }) => name);
    case "ListProjects":
      return [...world.projects.values()].map(({ name }) => name);
    case "ListUsers":
      return [...world.users.values()].flatMap(({ displayName, preferredLoginName }) => [
        ...(kind === "preferredLoginName" ? [] : [displayName]),
        ...(kind === "displayName" ? [] : [preferredLoginName]),
      ]);
  }
}
