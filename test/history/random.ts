import { type Dice, diceOf } from "../../demo/dice.ts";

/** Numbers that are the same for the same seed. */
export type Random = Dice & {
  /** At least 0, less than 1. */
  fraction(): number;
  between(least: number, most: number): number;
  /** Another sequence, which the name tells apart from others of this seed. */
  derive(name: string): Random;
};

export function seeded(seed: number): Random {
  const dice = diceOf(seed);
  const fraction = () => dice.below(2 ** 32) / 2 ** 32;
  return {
    ...dice,
    fraction,
    between: (least, most) => least + fraction() * (most - least),
    derive(name) {
      let mixed = seed;
      for (const character of name) mixed = Math.imul(mixed ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
      return seeded(mixed);
    },
  };
}
