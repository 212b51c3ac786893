import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import type { Path } from "@bufbuild/protobuf/reflect";
import { WireType } from "@bufbuild/protobuf/wire";
import { mostItems } from "./field-rules.ts";

/** How many fields and list items a request may have in all (docs/reference/transport.md). */
export const mostElements = 100_000;

/** How long a number may be that JSON writes as a text: a million digits would take half a second to read. */
export const mostDigits = 100;

/**
 * How long a text or number may be in JSON, in bytes and with its escapes. No field may be longer by its own rules, and
 * to read megabytes only to name the field takes a tenth of a second.
 */
export const mostTextBytes = 131_072;

/**
 * What a request has too many of: a list items, a number digits, a text bytes, or the request itself elements (an empty
 * path).
 */
export type TooMany = {
  readonly path: Path;
  readonly most: number;
  readonly what: "items" | "characters" | "bytes" | "elements";
};

export const tooManyInAll: TooMany = { path: [], most: mostElements, what: "elements" };

/** The fields of a message that a request may hold, by number and by the names they have in JSON. */
export type Bounds = {
  readonly numbers: ReadonlyMap<number, FieldBounds>;
  readonly names: ReadonlyMap<string, FieldBounds>;
};

export type FieldBounds = {
  readonly field: DescField;
  /** How many items a list may have; infinite for a field that isn't a list. */
  readonly most: number;
  /** How the binary format writes it: only texts, bytes and messages have a length. */
  readonly wireType: WireType;
  /** What is in its message or messages; undefined for texts, numbers and the like. */
  readonly inner: Bounds | undefined;
};

const known = new WeakMap<DescMessage, Bounds>();

/** Reads the bounds from the rules of a message, once. */
export function boundsOf(message: DescMessage): Bounds {
  const before = known.get(message);
  if (before !== undefined) return before;
  const numbers = new Map<number, FieldBounds>();
  const names = new Map<string, FieldBounds>();
  const bounds = { numbers, names };
  // Kept before its fields are read, because messages nest themselves.
  known.set(message, bounds);
  for (const field of message.fields) {
    // One record of the binary format can hold a million items of these, so counting records would miss them.
    if (field.fieldKind === "map" || (field.fieldKind === "list" && wireTypeOf(field) !== WireType.LengthDelimited)) {
      throw new Error(`${field}: maps and lists of numbers are not bounded in requests yet`);
    }
    const most = field.fieldKind === "list" ? mostItems(field) : Number.POSITIVE_INFINITY;
    const wireType = wireTypeOf(field);
    const one = { field, most, wireType, inner: field.message && boundsOf(field.message) };
    numbers.set(field.number, one);
    names.set(field.name, one).set(field.jsonName, one);
  }
  return bounds;
}

function wireTypeOf({ scalar, message }: DescField): WireType {
  if (message !== undefined) return WireType.LengthDelimited;
  switch (scalar) {
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return WireType.LengthDelimited;
    case ScalarType.DOUBLE:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return WireType.Bit64;
    case ScalarType.FLOAT:
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
      return WireType.Bit32;
    default:
      // Enums too, which have no scalar type.
      return WireType.Varint;
  }
}

/** Where an item is: a field, and its place in the list if it is one. */
export function pathOf({ field }: FieldBounds, index: number): Path {
  return field.fieldKind === "list" ? [field, { kind: "list_sub", index }] : [field];
}
