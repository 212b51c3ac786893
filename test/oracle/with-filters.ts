import type { World } from "./model/world.ts";

/** Makes a request of a planned one: each of its filters in the world as it is. */
export function withFilters<Planned, Filter>(filterOf: (world: World, callerId: string, planned: Planned) => Filter) {
  return <Rest>(world: World, callerId: string, { filters, ...rest }: Rest & { filters: Planned[] }) => ({
    ...rest,
    filters: filters.map((filter) => filterOf(world, callerId, filter)),
  });
}
