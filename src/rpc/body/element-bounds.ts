import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import type { Path } from "@bufbuild/protobuf/reflect";
import { WireType } from "@bufbuild/protobuf/wire";
import { mostItems } from "./field-rules.ts";

/** The most fields and list items in one request (docs/reference/transport.md). */
export const mostElements = 100_000;

/** The most characters of a number in a JSON string: a million digits would take half a second to read. */
export const mostDigits = 100;

/**
 * The most bytes of a text or a number in JSON, with its escapes. No field can be longer by its own rules, and reading
 * megabytes only to name the field takes a tenth of a second.
 */
export const mostTextBytes = 131_072;

/**
 * What there is too much of: items of a list, characters of a number, bytes of a text, or elements of the request
 * (empty path).
 */
export type TooMany = {
  readonly path: Path;
  readonly most: number;
  readonly what: "items" | "characters" | "bytes" | "elements";
};

export const tooManyInAll: TooMany = { path: [], most: mostElements, what: "elements" };

/** The fields that a message in a request can have, by number and by their names in JSON. */
export type Bounds = {
  readonly numbers: ReadonlyMap<number, FieldBounds>;
  readonly names: ReadonlyMap<string, FieldBounds>;
};

export type FieldBounds = {
  readonly field: DescField;
  /** The most items of a list; infinite for a field that isn't a list. */
  readonly most: number;
  /** The wire type in the binary format. Only texts, bytes and messages have a length. */
  readonly wireType: WireType;
  /** The fields of its message or messages; undefined for texts, numbers and the like. */
  readonly inner: Bounds | undefined;
};

const known = new WeakMap<DescMessage, Bounds>();

/** Reads the bounds from the rules of a message. Each message is read only once. */
export function boundsOf(message: DescMessage): Bounds {
  const before = known.get(message);
  if (before !== undefined) return before;
  const numbers = new Map<number, FieldBounds>();
  const names = new Map<string, FieldBounds>();
  const bounds = { numbers, names };
  // Stored before its fields are read, because messages can contain themselves.
  known.set(message, bounds);
  for (const field of message.fields) {
    // One record of the binary format can hold a million of these items, so counting records would miss them.
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
      // This includes enums, which have no scalar type.
      return WireType.Varint;
  }
}

/** The path of an item: its field and, in a list, its index. */
export function pathOf({ field }: FieldBounds, index: number): Path {
  return field.fieldKind === "list" ? [field, { kind: "list_sub", index }] : [field];
}
