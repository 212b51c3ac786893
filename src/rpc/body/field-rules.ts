import { type DescField, type DescMessage, getOption, hasOption, ScalarType } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { type FieldRules, field as fieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";

/** How many items the rules of a list allow; infinite where none bounds it. */
export function mostItems(field: DescField): number {
  const rules = rulesOf(field)?.type;
  const most = rules?.case === "repeated" ? Number(rules.value.maxItems) : 0;
  return most > 0 ? most : Number.POSITIVE_INFINITY;
}

/**
 * The most bytes that JSON without space takes for a message within its rules, every character of its texts escaped. The
 * binary form is shorter. Infinite for a message that nests itself or has a text or list without a bound.
 */
export function mostBytes(message: DescMessage, outer: readonly DescMessage[] = []): number {
  if (message.typeName === TimestampSchema.typeName) return mostBytesOfScalar;
  if (outer.includes(message)) return Number.POSITIVE_INFINITY;
  return message.fields.reduce((sum, field) => sum + mostBytesOfField(field, [...outer, message]), 2);
}

function mostBytesOfField(field: DescField, outer: readonly DescMessage[]): number {
  const name = field.jsonName.length + 4;
  const rules = rulesOf(field);
  const items = rules?.type.case === "repeated" ? rules.type.value.items : undefined;
  const value = (of: FieldRules | undefined) =>
    field.message === undefined ? mostBytesOfValue(field, of) : mostBytes(field.message, outer);
  return field.fieldKind === "list" ? name + 2 + mostItems(field) * (value(items) + 1) : name + value(rules);
}

/** Numbers, enums, truth values and times. */
const mostBytesOfScalar = 100;
/** A character beyond U+FFFF is written as two escapes of six bytes. */
const mostBytesOfCharacter = 12;

function mostBytesOfValue(field: DescField, rules: FieldRules | undefined): number {
  const isText = field.scalar === ScalarType.STRING || field.scalar === ScalarType.BYTES;
  if (!isText) return mostBytesOfScalar;
  const { type } = rules ?? {};
  const characters = type?.case === "string" ? Number(type.value.maxLen) : 0;
  return characters > 0 ? 2 + characters * mostBytesOfCharacter : Number.POSITIVE_INFINITY;
}

function rulesOf(field: DescField): FieldRules | undefined {
  return hasOption(field, fieldRules) ? getOption(field, fieldRules) : undefined;
}
