import {
  type DescEnum,
  type DescField,
  type DescMessage,
  getOption,
  hasOption,
  type Message,
} from "@bufbuild/protobuf";
import { type Path, type ReflectList, type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import type { Violation } from "@bufbuild/protovalidate";
import { FieldRulesSchema, field as fieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";

/** What a rule demands of which field, and what was sent. */
type Broken = {
  readonly limit: unknown;
  /** Undefined when the request was refused before it was decoded. */
  readonly sent: unknown;
  readonly field: Path[number] | undefined;
};

/**
 * Says what is wrong with a value and what to send instead, by the id of the rule it breaks. protovalidate's own texts
 * are for the authors of protos; they stay in the details of the error, and stand in for a rule that is missing here.
 */
export const texts: Readonly<Record<string, (broken: Broken) => string>> = {
  required: ({ field }) => `set exactly one of ${membersOf(field)}`,
  "string.min_len": ({ limit, sent }) =>
    limit === 1n ? "must not be empty" : `must be at least ${limit} characters, got ${charactersIn(sent)}`,
  "string.max_len": ({ limit, sent }) => `must be at most ${limit} characters, got ${charactersIn(sent)}`,
  "string.max_bytes": ({ limit, sent }) =>
    `must be at most ${limit} bytes in UTF-8, got ${Buffer.byteLength(String(sent))}`,
  "string.pattern": ({ limit }) =>
    limit === httpUrl ? "must begin with http:// or https:// and a host" : `must match ${limit}`,
  "string.uri": () => "must be a valid URL",
  "string.in": ({ limit, sent }) => `must be one of ${[...(limit as ReflectList)].join(", ")}${got(sent)}`,
  "repeated.min_items": ({ limit, sent }) =>
    limit === 1n ? "must not be empty" : `must have at least ${limit} items, got ${(sent as ReflectList).size}`,
  "repeated.max_items": ({ limit }) => `must have at most ${limit} items`,
  "repeated.unique": ({ sent }) => `must not have duplicates${got(firstDuplicate(sent as ReflectList), " twice")}`,
  "enum.defined_only": ({ field, sent }) => `must be a value of ${enumOf(field).name}, got ${sent}`,
  "enum.not_in": ({ limit, field }) => {
    const refused = new Set(limit as ReflectList);
    return `must be ${enumOf(field)
      .values.filter(({ number }) => !refused.has(number))
      .map(({ name }) => name)
      .join(" or ")}`;
  },
  "uint32.lte": ({ limit, sent }) => `must be at most ${limit}, got ${sent}`,
  "duration.gt": () => "must be more than 0s",
  "bool.const": ({ limit }) => `must be ${limit}`,
  "message.oneof": () => "set only one of expirationDate, removeExpiration",
};

/** The pattern of an avatar's URL, which says nothing to most people. */
const httpUrl = "^(?i:https?)://[^/?#]";

/** The text for a violation of a request; without the request, where it could not be decoded. */
export function textOf(violation: Violation, request?: { schema: DescMessage; message: Message }): string {
  const text = texts[violation.ruleId];
  if (text === undefined) return violation.message;
  const sent = request && valueAt(reflect(request.schema, request.message), violation.field);
  const field = violation.field.findLast(({ kind }) => kind === "field" || kind === "oneof");
  return text({ limit: limitOf(violation), sent, field });
}

function valueAt(message: ReflectMessage, path: Path): unknown {
  return path.reduce<unknown>((value, step) => {
    if (step.kind === "field") return (value as ReflectMessage).get(step);
    return step.kind === "list_sub" ? (value as ReflectList).get(step.index) : undefined;
  }, message);
}

/** What the field's option says, such as the 200 of `max_len: 200`. */
function limitOf({ field, rule }: Violation): unknown {
  const ruled = field.findLast((step) => step.kind === "field");
  if (rule.length === 0 || ruled === undefined || !hasOption(ruled, fieldRules)) return undefined;
  return valueAt(reflect(FieldRulesSchema, getOption(ruled, fieldRules)), rule);
}

function enumOf(field: Broken["field"]): DescEnum {
  return (field as DescField & { readonly enum: DescEnum }).enum;
}

function charactersIn(sent: unknown): number {
  return [...String(sent)].length;
}

/** What was sent, if it is short enough to help. */
function got(sent: unknown, after = ""): string {
  const text = JSON.stringify(sent);
  return text.length <= 60 ? `, got ${text}${after}` : "";
}

function firstDuplicate(list: ReflectList): unknown {
  const seen = new Set<unknown>();
  return [...list].find((item) => seen.size === seen.add(item).size);
}

const mostNames = 8;

/** Some of what can be set. */
function membersOf(field: Broken["field"]): string {
  const names = field?.kind === "oneof" ? field.fields.map(({ jsonName }) => jsonName) : [];
  const more = names.length - mostNames;
  return [...names.slice(0, mostNames), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
