import { type DescField, getOption, hasOption } from "@bufbuild/protobuf";
import {
  type FieldRules,
  field as fieldRules,
  Ignore,
  type StringRules,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import type { JsonSchema } from "./scalars.ts";

export function rulesOf(field: DescField): FieldRules | undefined {
  return hasOption(field, fieldRules) ? getOption(field, fieldRules) : undefined;
}

/** The part of a value's rules that JSON Schema can express. The descriptions have the rest. */
export function constrained(rules: FieldRules | undefined): JsonSchema {
  switch (rules?.type.case) {
    case "string":
      return stringRules(rules.type.value, rules.ignore === Ignore.IF_ZERO_VALUE);
    case "uint32":
      return rules.type.value.lessThan.case === "lte" ? { maximum: rules.type.value.lessThan.value } : {};
    case "bool":
      return { const: rules.type.value.const };
    default:
      return {};
  }
}

function stringRules(rules: StringRules, mayBeEmpty: boolean): JsonSchema {
  return {
    ...(rules.minLen > 0n && !mayBeEmpty && { minLength: Number(rules.minLen) }),
    ...(rules.maxLen > 0n && { maxLength: Number(rules.maxLen) }),
    ...(rules.in.length > 0 && { enum: rules.in }),
  };
}

/** The rules of a list, and those of each of its items. */
export function listRules(rules: FieldRules | undefined): { list: JsonSchema; items: FieldRules | undefined } {
  if (rules?.type.case !== "repeated") return { list: {}, items: undefined };
  const { minItems, maxItems, unique, items } = rules.type.value;
  const list = {
    ...(minItems > 0n && { minItems: Number(minItems) }),
    ...(maxItems > 0n && { maxItems: Number(maxItems) }),
    ...(unique && { uniqueItems: true }),
  };
  return { list, items };
}

export function allowsZero(rules: FieldRules | undefined): boolean {
  return rules?.type.case !== "enum" || !rules.type.value.notIn.includes(0);
}

/** Whether an absent value, which counts as empty, breaks a rule. */
export function isRequired(field: DescField): boolean {
  const rules = rulesOf(field);
  if (rules === undefined || rules.ignore === Ignore.IF_ZERO_VALUE) return false;
  const { minLength } = constrained(rules);
  return (
    rules.required || minLength !== undefined || listRules(rules).list.minItems !== undefined || !allowsZero(rules)
  );
}
