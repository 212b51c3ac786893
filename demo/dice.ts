export type Dice = ReturnType<typeof diceOf>;

/** Chance that falls the same way every time (mulberry32). */
export function diceOf(seed: number) {
  let state = seed;
  function roll(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  /** A whole number from 0 up to, but not including, the limit. */
  const below = (limit: number): number => Math.floor(roll() * limit);
  const chance = (probability: number): boolean => roll() < probability;
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
  /** Different ones, sorted; all of them where there are no more. */
  function sample(from: readonly string[], size: number): string[] {
    const rest = [...from];
    const chosen: string[] = [];
    while (chosen.length < size && rest.length > 0) chosen.push(...rest.splice(below(rest.length), 1));
    return chosen.sort();
  }
  return { below, chance, pick, sample };
}
