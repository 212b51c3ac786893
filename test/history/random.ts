/** Numbers that are the same for the same seed. */
export type Random = {
  /** At least 0, less than 1. */
  fraction(): number;
  /** From 0 to `below - 1`. */
  integer(below: number): number;
  between(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<T>(values: readonly T[]): T;
  /** Another sequence, which the name tells apart from others of this seed. */
  derive(name: string): Random;
};

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  // Mulberry32: short, and good enough for choosing what to do.
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (below: number) => Math.floor(fraction() * below);
  return {
    fraction,
    integer,
    between: (least, most) => least + fraction() * (most - least),
    chance: (probability) => fraction() < probability,
    pick(values) {
      if (values.length === 0) throw new Error("nothing to pick from");
      return values[integer(values.length)] as (typeof values)[number];
    },
    derive(name) {
      let mixed = seed;
      for (const character of name) mixed = Math.imul(mixed ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
      return seeded(mixed);
    },
  };
}
