import { type DescField, getOption, hasOption } from "@bufbuild/protobuf";
import type { ReflectMessage } from "@bufbuild/protobuf/reflect";
import { field as fieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";

/**
 * Cuts every list that is too long to one item beyond its bound. The request is refused for it anyway, and nobody is to
 * spend seconds on a million items that a few bytes of compressed nothing can make.
 */
export function shortenLists(message: ReflectMessage): void {
  for (const field of message.fields) {
    if (!message.isSet(field)) continue;
    if (field.fieldKind === "message") {
      shortenLists(message.get(field));
    } else if (field.fieldKind === "list") {
      const items = listOf(message, field);
      items.length = Math.min(items.length, mostItems(field) + 1);
      if (field.listKind !== "message") continue;
      for (const item of message.get(field)) shortenLists(item as ReflectMessage);
    }
  }
}

/** The array itself, which the message holds under the field's local name. */
function listOf(message: ReflectMessage, field: DescField): unknown[] {
  return (message.message as unknown as Record<string, unknown[]>)[field.localName] ?? [];
}

function mostItems(field: DescField): number {
  if (!hasOption(field, fieldRules)) return Number.MAX_SAFE_INTEGER;
  const { type } = getOption(field, fieldRules);
  return type.case === "repeated" && type.value.maxItems > 0n ? Number(type.value.maxItems) : Number.MAX_SAFE_INTEGER;
}
