import { finerThan, printDate } from "./model/dates.ts";
import { type Filter, filterKinds } from "./model/list.ts";
import type { World } from "./model/world.ts";
import type { PlannedFilter } from "./operations.ts";
import { idOf } from "./resolve.ts";
import { withFilters } from "./with-filters.ts";

/** From authorizations the caller may see, so that the filters of a list or an overview often match some and not all. */
export const filteredRequestOf = withFilters(filterOf);

function filterOf(world: World, callerId: string, filter: PlannedFilter): Filter {
  const each = (filters: PlannedFilter[]) => filters.map((one) => filterOf(world, callerId, one));
  if ("anyOfPlanned" in filter) return { anyOf: { filters: each(filter.anyOfPlanned) } };
  if ("allOfPlanned" in filter) return { allOf: { filters: each(filter.allOfPlanned) } };
  if ("notPlanned" in filter) return { not: filterOf(world, callerId, filter.notPlanned) };
  if ("targets" in filter) {
    const ids = filter.targets.map((target) => idOf(world, callerId, target));
    return { authorizationIds: { ids: [...new Set(ids)] } };
  }
  if (!("near" in filter)) return filter;
  const near = world.authorizations.get(idOf(world, callerId, filter.near));
  const { kind } = filter;
  const compared = filterKinds[kind];
  if (compared === undefined) throw new Error(`the model knows no filter ${kind}`);
  const { field, of } = compared;
  const values = near ? of(near, world) : [];
  const value = values[filter.from % values.length] ?? "a";
  if (field === "range") return { [kind]: rangeAround(typeof value === "bigint" ? value : 0n, filter) };
  if (typeof value === "bigint") throw new Error(`${kind} compares no dates`);
  if (field === "state") return { state: { state: near?.state ?? "STATE_ACTIVE" } };
  if (field === "id") return { [kind]: { id: value } } as Filter;
  if (field === "ids" || field === "keys") return { [kind]: { [field]: [value, "no such thing"] } } as Filter;
  return { [kind]: { [field]: pieceOf(filter, value) || "a", method: filter.method } } as Filter;
}

export type Piece = Omit<Extract<PlannedFilter, { near: unknown }>, "near" | "kind">;

/** Ends that lie on the date, a microsecond before or after it, or a nanosecond after it; either may be missing. */
function rangeAround(date: bigint, { from, length, swapCase }: Piece): { from?: string; to?: string } {
  const place = (microseconds: bigint) => (swapCase ? finerThan(printDate(microseconds)) : printDate(microseconds));
  const first = place(date - BigInt(from % 2));
  if (length === 1) return { from: first };
  const last = place(date + BigInt(from % 3));
  return length === 2 ? { to: last } : { from: first, to: last };
}

/** The part of a text that the method looks at. */
export function pieceOf({ method, from, length, swapCase }: Piece, value: string): string {
  const letters = Array.from(swapCase ? swapped(value) : value);
  if (method.includes("EQUALS")) return letters.join("");
  if (method.includes("STARTS")) return letters.slice(0, length).join("");
  if (method.includes("ENDS")) return letters.slice(-length).join("");
  const start = from % (letters.length + 1);
  return letters.slice(start, start + length).join("");
}

/** The other case of every letter. */
function swapped(text: string): string {
  return Array.from(text, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  ).join("");
}
