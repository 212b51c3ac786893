import type { Case, Operation, PlannedFilter } from "./operations.ts";

/** Whether a case still shows a difference. */
type Fails = (one: Case) => Promise<boolean>;

/**
 * Leaves out whatever a failing case can do without: operations first, as the later ones are many and mostly do not
 * matter, then parts of the world, then parts of the operations. Much faster than shrinking every value there is.
 */
export async function shrink(failing: Case, fails: Fails): Promise<Case> {
  let best = failing;
  for (let size = Number.POSITIVE_INFINITY; sizeOf(best) < size; ) {
    size = sizeOf(best);
    const operations = await fewest(best.operations, (fewer) => fails({ ...best, operations: fewer }));
    best = { ...best, operations };
    const world = await fewest(best.world, (fewer) => fails({ ...best, world: fewer }));
    best = { ...best, world };
    for (const index of best.operations.keys()) best = await shrinkOperation(best, index, fails);
  }
  return best;
}

async function shrinkOperation(best: Case, index: number, fails: Fails): Promise<Case> {
  const operation = best.operations[index];
  const replaced = (other: Operation) => ({ ...best, operations: best.operations.with(index, other) });
  if (operation !== undefined && "apply" in operation) {
    const having = (changes: typeof operation.apply.changes) =>
      replaced({ ...operation, apply: { ...operation.apply, changes } });
    return having(await fewest(operation.apply.changes, (fewer) => fails(having(fewer))));
  }
  if (operation !== undefined && "listEvents" in operation) {
    const having = (filters: typeof operation.listEvents.filters) =>
      replaced({ ...operation, listEvents: { ...operation.listEvents, filters } });
    return having(await fewest(operation.listEvents.filters, (fewer) => fails(having(fewer))));
  }
  if (operation !== undefined && "list" in operation) {
    const having = (filters: typeof operation.list.filters) =>
      replaced({ ...operation, list: { ...operation.list, filters } });
    const fewer = await fewest(operation.list.filters, (fewer) => fails(having(fewer)));
    return having(await withoutNesting(fewer, (simpler) => fails(having(simpler))));
  }
  return best;
}

/** Puts filters in the place of the one that nests them. */
async function withoutNesting(filters: PlannedFilter[], fails: (simpler: PlannedFilter[]) => Promise<boolean>) {
  for (const [index, filter] of filters.entries()) {
    const within =
      "anyOfPlanned" in filter
        ? filter.anyOfPlanned
        : "allOfPlanned" in filter
          ? filter.allOfPlanned
          : "notPlanned" in filter
            ? [filter.notPlanned]
            : [];
    for (const one of within) if (await fails(filters.with(index, one))) return filters.with(index, one);
  }
  return filters;
}

/** Takes away runs of things, long ones first, as long as what is left still fails. */
async function fewest<T>(things: T[], fails: (fewer: T[]) => Promise<boolean>): Promise<T[]> {
  let best = things;
  for (let length = best.length; length >= 1; length = Math.floor(length / 2)) {
    for (let from = best.length - length; from >= 0; from -= length) {
      const fewer = best.toSpliced(from, length);
      if (await fails(fewer)) best = fewer;
    }
  }
  return best;
}

function sizeOf(one: Case): number {
  return JSON.stringify(one).length;
}
