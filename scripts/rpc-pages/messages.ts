import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type DescOneof,
  getOption,
  hasOption,
  ScalarType,
} from "@bufbuild/protobuf";
import { DurationSchema, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { oneof as oneofRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { descriptionOf } from "../openapi/descriptions.ts";
import { constrained, isRequired, listRules, rulesOf } from "../openapi/rules.ts";
import { tableOf, withLinks } from "./markdown.ts";

/** The table of a message's fields, then those of the messages and enums in it that the page doesn't have yet. */
export function messageTables(message: DescMessage, described: Set<string>): string[] {
  described.add(message.typeName);
  const pending: (DescMessage | DescEnum)[] = typesIn(message);
  const tables = fieldTable(message);
  for (let type = pending.shift(); type !== undefined; type = pending.shift()) {
    if (described.has(type.typeName) || type.typeName in texts) continue;
    described.add(type.typeName);
    tables.push(`### ${type.name}`, ...(type.kind === "enum" ? valueTable(type) : [about(type), ...fieldTable(type)]));
    if (type.kind === "message") pending.push(...typesIn(type));
  }
  return tables.filter((text) => text !== "");
}

function typesIn(message: DescMessage): (DescMessage | DescEnum)[] {
  return message.fields.flatMap((field) => field.message ?? field.enum ?? []);
}

function about(type: DescMessage): string {
  return withLinks(descriptionOf(type) ?? "");
}

function fieldTable(message: DescMessage): string[] {
  if (message.fields.length === 0) return ["No fields."];
  const rows = message.fields.map((field) => [
    `\`${field.jsonName}\``,
    typeOf(field),
    limitsOf(field),
    meaningOf(field),
  ]);
  const choices = message.oneofs.map(choice);
  return [...choices, tableOf(["Field", "Type", "Limits", "Meaning"], rows)];
}

function choice(oneof: DescOneof): string {
  const isRequiredChoice = hasOption(oneof, oneofRules) && getOption(oneof, oneofRules).required;
  const names = oneof.fields.map(({ jsonName }) => `\`${jsonName}\``).join(", ");
  const all = oneof.fields.length === oneof.parent.fields.length ? "these fields" : names;
  return `${isRequiredChoice ? "Exactly" : "At most"} one of ${all}.`;
}

function valueTable(type: DescEnum): string[] {
  const rows = type.values.map((value) => [`\`${value.name}\``, inCell(valueComment(type, value.name))]);
  const [text = ""] = (descriptionOf(type) ?? "").split("\n\n").filter((part) => !part.startsWith("- "));
  return [withLinks(text), tableOf(["Value", "Meaning"], rows)];
}

function valueComment(type: DescEnum, name: string): string {
  const found = (descriptionOf(type) ?? "").split("\n").find((line) => line.startsWith(`- \`${name}\`: `));
  return found?.replace(/^- `\w+`: /, "") ?? "";
}

/** The limits have a column of their own, so sentences that only repeat them are left out. */
function meaningOf(field: DescField): string {
  return inCell((descriptionOf(field) ?? "").replaceAll(/(?<=^|\. )(?:Up|\d+) to \d+ [^.;:]*\.(?= |$)/g, ""));
}

function inCell(text: string): string {
  return withLinks(text.replaceAll(/\s+/g, " ").trim().replaceAll("|", "\\|"));
}

function typeOf(field: DescField): string {
  const type = field.message ?? field.enum;
  const name = type ? (texts[type.typeName] ?? `[${type.name}](#${type.name.toLowerCase()})`) : scalarName(field);
  if (field.fieldKind === "list") return `list of ${name}`;
  return field.fieldKind === "map" ? "map of strings" : name;
}

/** Messages that are texts in JSON. */
const texts: Readonly<Record<string, string>> = {
  [TimestampSchema.typeName]: "time, RFC 3339",
  [DurationSchema.typeName]: "duration, such as `600s`",
};

function scalarName({ scalar, name }: DescField): string {
  switch (scalar) {
    case ScalarType.STRING:
      return "string";
    case ScalarType.BOOL:
      return "boolean";
    case ScalarType.UINT32:
      return "integer";
    case ScalarType.UINT64:
      return "64-bit integer, as a string";
    default:
      throw new Error(`The field ${name} has a type that no message had so far: say here what it is called.`);
  }
}

function limitsOf(field: DescField): string {
  const rules = rulesOf(field);
  const { list, items } = field.fieldKind === "list" ? listRules(rules) : { list: {}, items: undefined };
  const own = [
    isRequired(field) ? "required" : "",
    range(list.minItems, list.maxItems, "items"),
    list.uniqueItems ? "without duplicates" : "",
    textLimits(constrained(field.fieldKind === "list" ? items : rules), field.fieldKind === "list" ? "each " : ""),
  ];
  return own.filter(Boolean).join("; ");
}

function textLimits(schema: ReturnType<typeof constrained>, each: string): string {
  const { minLength, maxLength, maximum, enum: values } = schema;
  if (Array.isArray(values)) return values.map((value) => `\`${value}\``).join(", ");
  if (maximum !== undefined) return `at most ${maximum}`;
  if (schema.const === true) return "`true`";
  const length = range(minLength, maxLength, "characters");
  return length && each + length;
}

function range(least: unknown, most: unknown, unit: string): string {
  if (most === undefined) return least === undefined ? "" : `at least ${least} ${unit}`;
  return least === undefined ? `up to ${most} ${unit}` : `${least} to ${most} ${unit}`;
}
