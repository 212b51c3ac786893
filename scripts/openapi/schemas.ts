import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescOneof,
  getOption,
  hasOption,
} from "@bufbuild/protobuf";
import { DurationSchema, FeatureSet_FieldPresence, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { oneof as oneofRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { descriptionOf } from "./descriptions.ts";
import { allowsZero, constrained, isRequired, listRules, rulesOf } from "./rules.ts";
import { type JsonSchema, scalarSchema } from "./scalars.ts";

/** Where a message occurs. What requests must have differs from what answers always have. */
type Use = { readonly sent: boolean; readonly answered: boolean };

/** The schemas of all messages and enums that the methods use, by name. */
export function schemasOf(methods: readonly DescMethod[]): Record<string, JsonSchema> {
  const sent = reached(methods.map((method) => method.input));
  const answered = reached(methods.map((method) => method.output));
  const all = [...new Set([...sent, ...answered])].toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const schema = (desc: DescMessage | DescEnum) =>
    desc.kind === "enum"
      ? enumSchema(desc)
      : messageSchema(desc, { sent: sent.has(desc), answered: answered.has(desc) });
  return Object.fromEntries(all.map((desc) => [nameOf(desc), schema(desc)]));
}

export function reference(desc: DescMessage | DescEnum): JsonSchema {
  return { $ref: `#/components/schemas/${nameOf(desc)}` };
}

/** The name includes the package, because two packages can have messages of the same name. */
function nameOf({ typeName }: DescMessage | DescEnum): string {
  return typeName.replace(/^service\./, "");
}

function reached(messages: readonly DescMessage[]): Set<DescMessage | DescEnum> {
  const found = new Set<DescMessage | DescEnum>();
  const pending: (DescMessage | DescEnum)[] = [...messages];
  for (let desc = pending.pop(); desc !== undefined; desc = pending.pop()) {
    if (found.has(desc) || Object.hasOwn(wellKnown, desc.typeName)) continue;
    found.add(desc);
    if (desc.kind === "message") pending.push(...desc.fields.flatMap((field) => field.message ?? field.enum ?? []));
  }
  return found;
}

function enumSchema(desc: DescEnum): JsonSchema {
  return { type: "string", enum: desc.values.map(({ name }) => name), description: descriptionOf(desc) };
}

function messageSchema(desc: DescMessage, use: Use): JsonSchema {
  const [choice] = desc.oneofs;
  const description = descriptionOf(desc);
  const isChoice = choice !== undefined && choice.fields.length === desc.fields.length;
  if (isChoice) return { description, oneOf: choice.fields.map((field) => objectSchema([field], [field], use)) };
  const required = desc.fields.filter((field) => field.oneof === undefined && isAlwaysThere(field, use));
  return { description, ...objectSchema(desc.fields, required, use), ...(choice && onlyOneOf(choice)) };
}

function objectSchema(
  fields: readonly DescField[],
  required: readonly DescField[],
  { sent, answered }: Use,
): JsonSchema {
  return {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field.jsonName, fieldSchema(field, sent)])),
    ...(required.length > 0 && { required: required.map(({ jsonName }) => jsonName) }),
    // Unknown fields in requests are refused. Answers may get more fields in a later release.
    ...(sent && !answered && { additionalProperties: false }),
  };
}

/** Answers have every field except unset messages and optional ones. Requests need the fields that must not be empty. */
function isAlwaysThere(field: DescField, { sent }: Use): boolean {
  if (sent) return isRequired(field);
  const isOptional = field.fieldKind === "scalar" && field.presence === FeatureSet_FieldPresence.EXPLICIT;
  return field.fieldKind !== "message" && !isOptional;
}

/** At most one of these fields, or exactly one, in addition to others. */
function onlyOneOf(choice: DescOneof): JsonSchema {
  const { fields } = choice;
  if (hasOption(choice, oneofRules) && getOption(choice, oneofRules).required) {
    return { oneOf: fields.map(({ jsonName }) => ({ required: [jsonName] })) };
  }
  const pairs = fields.flatMap((a, index) => fields.slice(index + 1).map((b) => [a.jsonName, b.jsonName]));
  return { not: { anyOf: pairs.map((required) => ({ required })) } };
}

function fieldSchema(field: DescField, sent: boolean): JsonSchema {
  const description = descriptionOf(field);
  const rules = rulesOf(field);
  switch (field.fieldKind) {
    case "list":
      return {
        type: "array",
        items: valueSchema(field, listRules(rules).items, sent),
        ...listRules(rules).list,
        description,
      };
    case "map":
      return { type: "object", additionalProperties: { type: "string" }, description };
    default:
      return { ...valueSchema(field, rules, sent), description };
  }
}

function valueSchema(field: DescField, rules: ReturnType<typeof rulesOf>, sent: boolean): JsonSchema {
  if (field.message !== undefined) return wellKnown[field.message.typeName] ?? reference(field.message);
  if (field.enum !== undefined) {
    if (allowsZero(rules)) return reference(field.enum);
    return { type: "string", enum: field.enum.values.filter(({ number }) => number !== 0).map(({ name }) => name) };
  }
  return { ...scalarSchema(field, sent), ...constrained(rules) };
}

/** Messages that are texts in JSON. No request has a negative duration. */
const wellKnown: Readonly<Record<string, JsonSchema>> = {
  [TimestampSchema.typeName]: { type: "string", format: "date-time" },
  [DurationSchema.typeName]: { type: "string", pattern: "^\\d+(\\.\\d{1,9})?s$" },
};
