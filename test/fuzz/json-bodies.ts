import type { DescField, DescMessage, DescOneof, ScalarType } from "@bufbuild/protobuf";
import {
  anyCount,
  anyDuration,
  anyNumberOf,
  anyScalar,
  anyTime,
  isNeeded,
  isText,
  type Making,
  type Time,
} from "./values.ts";

/** Deeper than any message that nests itself has to be. */
const mostDepth = 6;

/** A message as JSON text: valid where there is no mischief, else with wrong types, unknown and repeated fields. */
export function jsonBody(making: Making, message: DescMessage, depth = 0): string {
  const { dice, mischief } = making;
  const parts: string[] = [];
  for (const member of message.members) {
    for (const field of chosen(making, member, depth)) {
      parts.push(`${keyOf(making, field)}:${valueText(making, field, depth)}`);
      if (dice.chance(mischief / 10)) parts.push(`${keyOf(making, field)}:${valueText(making, field, depth)}`);
    }
  }
  if (dice.chance(mischief / 4)) parts.push(`${JSON.stringify(dice.pick(unknownNames))}:${dice.pick(oddValues)}`);
  return `{${parts.join(",")}}`;
}

/** The fields that are set: of a one-of mostly one. */
export function chosen(making: Making, member: DescField | DescOneof, depth: number): DescField[] {
  const { dice, mischief } = making;
  if (member.kind === "oneof") {
    const fields = depth < mostNested ? member.fields : member.fields.filter((field) => !nests(field));
    if (dice.chance(mischief / 2)) return dice.chance(0.5) ? [] : [dice.pick(fields), dice.pick(fields)];
    return [dice.pick(fields)];
  }
  if (member.fieldKind === "message" && depth >= mostDepth) return [];
  if (making.isAttack) return dice.chance(member.fieldKind === "scalar" && !isText(member) ? 0.1 : 0.9) ? [member] : [];
  if (isNeeded(member)) return dice.chance(mischief / 2) ? [] : [member];
  return dice.chance(isTime(member) ? 0.2 : 0.5) ? [member] : [];
}

/** How deep messages go that nest themselves, with and without mischief: filters may be at depth 1 and two deeper. */
const mostNested = 5;

/** Whether it leads back to the message it is in, by itself or by a list in it. */
function nests({ message, parent }: DescField): boolean {
  return message === parent || (message?.fields.some((field) => field.message === parent) ?? false);
}

export function isTime(field: DescField): boolean {
  return field.message?.typeName === "google.protobuf.Timestamp";
}

function isDuration(field: DescField): boolean {
  return field.message?.typeName === "google.protobuf.Duration";
}

function keyOf({ dice, mischief }: Making, field: DescField): string {
  if (dice.chance(mischief / 5))
    return JSON.stringify(dice.pick([field.name.toUpperCase(), `${field.jsonName}s`, ` ${field.name}`]));
  return JSON.stringify(dice.chance(0.8) ? field.jsonName : field.name);
}

function valueText(making: Making, field: DescField, depth: number): string {
  if (making.dice.chance(making.mischief / 2)) return making.dice.pick(oddValues);
  if (field.fieldKind === "list") {
    const items = Array.from({ length: anyCount(making, field) }, () => itemOf(making, field, depth));
    return `[${(making.mischief > 0 ? items : [...new Set(items)]).join(",")}]`;
  }
  if (field.fieldKind === "map") return "{}";
  return itemOf(making, field, depth);
}

function itemOf(making: Making, field: DescField, depth: number): string {
  const { dice } = making;
  if (field.message !== undefined) {
    if (isTime(field)) return JSON.stringify(dateOf(making));
    if (isDuration(field)) return JSON.stringify(anyDuration(making));
    return jsonBody(making, field.message, depth + 1);
  }
  if (field.enum !== undefined) {
    const number = anyNumberOf(making, field.enum);
    const name = field.enum.value[number]?.name;
    return name === undefined || dice.chance(0.2) ? String(number) : JSON.stringify(name);
  }
  const value = anyScalar(making, field as DescField & { scalar: ScalarType });
  if (typeof value === "bigint") return dice.chance(0.5) && value < 2n ** 53n ? String(value) : `"${value}"`;
  return JSON.stringify(value);
}

/** RFC 3339, or nearly. */
function dateOf(making: Making): string {
  if (making.dice.chance(making.mischief)) return making.dice.pick(oddDates);
  const { seconds, nanos }: Time = anyTime({ ...making, mischief: 0 });
  const whole = new Date(Number(seconds) * 1_000).toISOString().slice(0, 19);
  return nanos === 0 ? `${whole}Z` : `${whole}.${String(nanos).padStart(9, "0")}Z`;
}

const oddDates = [
  ...["", "yesterday", "0000-01-01T00:00:00Z", "10000-01-01T00:00:00Z", "2024-02-30T00:00:00Z", "2024-01-01"],
  ...["2024-01-01T00:00:00+25:00", "9999-12-31T23:59:59-14:00", "2024-01-01T00:00:00.1234567891Z", "infinity"],
];

const unknownNames = ["__proto__", "constructor", "@type", "[a.b]", "", "id ", "filter", "limit", "\u0000"];
const oddValues = [
  ...["null", "true", "-0", "1", "-1", "1.5", "1e400", "9007199254740993", "1".repeat(400), '""', '"x"', "[]", "{}"],
  ...["[null]", "[[]]", '{"id":{}}', '{"ids":{"a":1}}', '[{"id":"a"},7]', '"\\ud800"', '"\\u0000"', "NaN", "01", "tru"],
  ...['"\\x"', '"\u0001"', ""],
];
