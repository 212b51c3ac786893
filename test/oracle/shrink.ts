import type { Case } from "./operations.ts";

/** Whether a case still shows a difference. */
type Fails = (one: Case) => Promise<boolean>;

/**
 * Leaves out whatever a failing case can do without: operations first, as the later ones are many and mostly do not
 * matter, then parts of the world. Much faster than shrinking every value there is.
 */
export async function shrink(failing: Case, fails: Fails): Promise<Case> {
  let best = failing;
  for (let size = Number.POSITIVE_INFINITY; sizeOf(best) < size; ) {
    size = sizeOf(best);
    const operations = await fewest(best.operations, (fewer) => fails({ ...best, operations: fewer }));
    best = { ...best, operations };
    const world = await fewest(best.world, (fewer) => fails({ ...best, world: fewer }));
    best = { ...best, world };
  }
  return best;
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
