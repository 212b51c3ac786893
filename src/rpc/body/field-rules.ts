import { type DescField, type DescMessage, getOption, hasOption, ScalarType } from "@bufbuild/protobuf";
import { DurationSchema, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { type FieldRules, field as fieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";

/** The most items that the rules of a list allow; infinite if there is no such rule. */
export function mostItems(field: DescField): number {
  const rules = rulesOf(field)?.type;
  const most = rules?.case === "repeated" ? Number(rules.value.maxItems) : 0;
  return most > 0 ? most : Number.POSITIVE_INFINITY;
}

/**
 * The most bytes of a message in JSON that keeps its rules, without spaces and with every character of its texts
 * escaped. The binary form is shorter. Infinite for a message that can contain itself, or has a text or a list without
 * a limit.
 */
export function mostBytes(message: DescMessage, outer: readonly DescMessage[] = []): number {
  if (isTime(message)) return mostBytesOfScalar;
  if (outer.includes(message)) return Number.POSITIVE_INFINITY;
  return message.fields.reduce((sum, field) => sum + mostBytesOfField(field, [...outer, message]), 2);
}

function mostBytesOfField(field: DescField, outer: readonly DescMessage[]): number {
  const name = field.jsonName.length + 4;
  const value = field.message === undefined ? mostBytesOfValue(field) : mostBytes(field.message, outer);
  return field.fieldKind === "list" ? name + 2 + mostItems(field) * (value + 1) : name + value;
}

function isTime({ typeName }: DescMessage): boolean {
  return typeName === TimestampSchema.typeName || typeName === DurationSchema.typeName;
}

/** For numbers, enums, booleans and times. */
const mostBytesOfScalar = 100;
/** A character beyond U+FFFF takes two escapes of six bytes. */
const mostBytesOfCharacter = 12;

/** The most bytes in JSON of a value that is not a message, or of an item of its list. */
export function mostBytesOfValue(field: DescField): number {
  const isText = field.scalar === ScalarType.STRING || field.scalar === ScalarType.BYTES;
  if (!isText) return mostBytesOfScalar;
  const rules = rulesOf(field)?.type;
  const type = rules?.case === "repeated" ? rules.value.items?.type : rules;
  const texts = type?.case === "string" ? type.value : undefined;
  const characters = Math.max(Number(texts?.maxLen ?? 0), ...(texts?.in ?? []).map((text) => text.length));
  return characters > 0 ? 2 + characters * mostBytesOfCharacter : Number.POSITIVE_INFINITY;
}

function rulesOf(field: DescField): FieldRules | undefined {
  return hasOption(field, fieldRules) ? getOption(field, fieldRules) : undefined;
}
