import { type DescEnum, type DescField, getOption, hasOption, ScalarType } from "@bufbuild/protobuf";
import { type FieldRules, field as fieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import type { Dice } from "../../demo/dice.ts";
import { type Bounds, badText, goodText } from "./texts.ts";

/** How a message is made up. */
export type Making = {
  readonly dice: Dice;
  /** How likely each value is to break a rule. */
  readonly mischief: number;
  /** Whether most texts try to be more than texts. */
  readonly isAttack: boolean;
};

export type Scalar = string | bigint | boolean;

/** A value of a field that holds a text or a number, as its rules want it, or not. */
export function anyScalar(making: Making, field: DescField & { readonly scalar: ScalarType }): Scalar {
  const isBad = making.dice.chance(making.mischief);
  if (field.scalar === ScalarType.BOOL) return !isBad && making.dice.chance(rulesOf(field).isTrue ? 1 : 0.5);
  if (field.scalar === ScalarType.STRING || field.scalar === ScalarType.BYTES) return anyText(making, field, isBad);
  const numbers = isBad ? badNumbers : is64Bits(field.scalar) ? large : small;
  return making.dice.pick(numbers);
}

function anyText({ dice, isAttack }: Making, field: DescField, isBad: boolean): string {
  const { text } = rulesOf(field);
  return isBad ? badText(dice, field.name, text) : goodText(dice, field.name, text, isAttack);
}

const small = [0n, 0n, 1n, 2n, 10n, 100n, 999n, 1_000n, 1_001n, 2n ** 31n - 1n];
const large = [...small, 2n ** 31n, 2n ** 32n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n];
const badNumbers = [-1n, 2n ** 32n, 2n ** 63n, 2n ** 64n - 1n, 2n ** 64n, -(2n ** 63n), 10n ** 30n];

/** Texts that say something themselves; a position in a list does not. */
export function isText(field: DescField): boolean {
  return field.scalar === ScalarType.STRING && field.name !== "page_token";
}

function is64Bits(scalar: ScalarType): boolean {
  return ![ScalarType.INT32, ScalarType.UINT32, ScalarType.SINT32, ScalarType.FIXED32, ScalarType.SFIXED32].includes(
    scalar,
  );
}

export function anyNumberOf(making: Making, { values }: DescEnum): number {
  if (making.dice.chance(making.mischief))
    return making.dice.pick([-1, values.length, 99, 2 ** 31 - 1, -(2 ** 31), 2 ** 32]);
  return making.dice.pick(values).number;
}

export type Time = { readonly seconds: bigint; readonly nanos: number };

export function anyTime({ dice, mischief }: Making): Time {
  if (dice.chance(mischief))
    return { seconds: dice.pick(badSeconds), nanos: dice.pick([0, -1, 1_000_000_000, 2 ** 31 - 1]) };
  return { seconds: dice.pick(seconds), nanos: dice.pick([0, 500_000_000, 1_000, 999_999_000, 999_999_999, 1]) };
}

/** In JSON. */
export function anyDuration({ dice, mischief }: Making): string {
  return dice.pick(dice.chance(mischief) ? badDurations : ["1s", "0.5s", "3600s", "0.000000001s", "31622400s"]);
}

const badDurations = ["0s", "-1s", "1", "s", "1m", "1e3s", "31622401s", "315576000001s", "0.0000000001s", "NaNs"];

const first = -62_135_596_800n;
const last = 253_402_300_799n;
const seconds = [first, first + 1n, -1n, 0n, 1n, 1_704_067_200n, 1_704_067_201n, last - 86_400n, last - 86_399n, last];
const badSeconds = [first - 1n, last + 1n, -(2n ** 63n), 2n ** 63n - 1n, 10n ** 12n];

/** How many items a list gets. Long ones are rare, because they take time. */
export function anyCount({ dice, mischief, isAttack }: Making, field: DescField): number {
  // One, so that nothing else decides what comes back.
  if (isAttack) return 1;
  const { mostItems } = rulesOf(field);
  const roll = dice.below(400);
  if (roll === 0) return Math.min(mostItems, 1_000);
  if (roll === 1 && mischief > 0) return Math.min(mostItems, 1_000) + 1;
  if (roll < 6) return Math.min(mostItems, 130);
  return dice.pick([0, 1, 1, 1, 1, 2, 2, 3, 5]);
}

/** Whether a message without the field breaks a rule. */
export function isNeeded(field: DescField): boolean {
  return rulesOf(field).text.least > 0;
}

type Rules = { readonly text: Bounds; readonly mostItems: number; readonly isTrue: boolean };
const known = new Map<DescField, Rules>();

/** What the field's own protovalidate options say. */
function rulesOf(field: DescField): Rules {
  const found = known.get(field);
  if (found !== undefined) return found;
  const type = hasOption(field, fieldRules) ? getOption(field, fieldRules).type : undefined;
  const ofItems = type?.case === "repeated" ? type.value.items?.type : type;
  const rules = {
    text: boundsOf(ofItems),
    mostItems: type?.case === "repeated" && type.value.maxItems > 0n ? Number(type.value.maxItems) : 10_000,
    isTrue: type?.case === "bool" && type.value.const,
  };
  known.set(field, rules);
  return rules;
}

function boundsOf(type: FieldRules["type"] | undefined): Bounds {
  if (type?.case !== "string") return { least: 0, most: 10_000, mostBytes: Number.MAX_SAFE_INTEGER };
  const { minLen, maxLen, maxBytes } = type.value;
  return {
    least: Number(minLen),
    most: maxLen > 0n ? Number(maxLen) : 10_000,
    mostBytes: maxBytes > 0n ? Number(maxBytes) : Number.MAX_SAFE_INTEGER,
  };
}
