import { type DescField, type DescMessage, getOption, hasOption, type Message } from "@bufbuild/protobuf";
import { buildPath, type Path, type PathBuilder } from "@bufbuild/protobuf/reflect";
import { Violation } from "@bufbuild/protovalidate";
import {
  FieldRulesSchema,
  field as fieldRules,
  RepeatedRulesSchema,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";

/**
 * Finds every list that has more items than its rules allow, at any depth, and shortens it to what they allow. What looks
 * at the items afterwards, such as protovalidate, would otherwise take a second for those of one request.
 */
export function* shortenLists(schema: DescMessage, message: Message, path: PathBuilder): Generator<Violation> {
  for (const field of schema.fields) {
    const value = storedIn(message, field);
    if (value === undefined) continue;
    const here = path.clone().field(field);
    if (field.fieldKind === "message") yield* shortenLists(field.message, value as Message, here);
    if (field.fieldKind !== "list") continue;
    const items = value as unknown[];
    yield* shortenList(field, items, here);
    if (field.listKind !== "message") continue;
    for (const [index, item] of items.entries())
      yield* shortenLists(field.message, item as Message, here.clone().list(index));
  }
}

export function* shortenList(list: DescField, items: unknown[], path: PathBuilder): Generator<Violation> {
  const most = mostItems(list);
  if (items.length <= most) return;
  items.length = most;
  yield new Violation(`must have at most ${most} items`, "repeated.max_items", path.toPath(), maxItemsRule, false);
}

/** The value of a field as the message holds it; undefined if it isn't set. */
function storedIn(message: Message, { oneof, localName }: DescField): unknown {
  const fields = message as unknown as Record<string, unknown>;
  if (oneof === undefined) return fields[localName];
  const chosen = fields[oneof.localName] as { case?: string; value?: unknown } | undefined;
  return chosen?.case === localName ? chosen.value : undefined;
}

/** Kept, because to read a rule takes as long as to check a short request. */
const mostItemsOf = new Map<DescField, number>();

/** The most items that the rules of a list allow; infinite if there is no such rule. */
export function mostItems(list: DescField): number {
  return mostItemsOf.getOrInsertComputed(list, () => {
    const rules = hasOption(list, fieldRules) ? getOption(list, fieldRules).type : undefined;
    return (rules?.case === "repeated" && Number(rules.value.maxItems)) || Number.POSITIVE_INFINITY;
  });
}

/** The path of the rule in protovalidate. */
const maxItemsRule: Path = buildPath(FieldRulesSchema)
  .field(FieldRulesSchema.field.repeated)
  .field(RepeatedRulesSchema.field.maxItems)
  .toPath();
