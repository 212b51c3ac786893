import { WireType } from "@bufbuild/protobuf/wire";
import {
  type Bounds,
  type FieldBounds,
  mostDigits,
  mostElements,
  mostTextBytes,
  pathOf,
  type TooMany,
  tooManyInAll,
} from "./element-bounds.ts";

/** An object or array that has not ended yet. */
type Open = {
  readonly isArray: boolean;
  /** The fields of an object; undefined if the request has no field of that name. */
  fields: Bounds | undefined;
  /** The field whose value comes next or, in an array, the field of every item. */
  field: FieldBounds | undefined;
  /** The number of items or members before this one. */
  index: number;
  /** Whether the next text in an object is a name. */
  isNameNext: boolean;
};

/**
 * Finds the first list with too many items in a JSON request, without decoding it. It knows just enough of JSON to
 * count. The library refuses invalid JSON, and reads no further than the first mistake.
 */
export function tooManyInJson(bounds: Bounds, bytes: Uint8Array, most = mostElements): TooMany | undefined {
  const open: Open[] = [];
  let inner: Open | undefined;
  let elements = 0;
  /** The length so far of the number or the literal that is being read. */
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case quote: {
        const begin = at + 1;
        at = endOfText(bytes, begin);
        length = 0;
        if (inner?.isNameNext) {
          inner.isNameNext = false;
          inner.field = inner.fields?.names.get(nameIn(bytes, begin, at));
          // The library will refuse the unknown name. From here, only count.
          if (inner.field === undefined) inner.fields = undefined;
        } else if (
          at - begin > mostDigits &&
          inner?.field !== undefined &&
          inner.field.wireType !== WireType.LengthDelimited
        ) {
          return { path: pathTo(open), most: mostDigits, what: "characters" };
        }
        if (at - begin > mostTextBytes) return textTooLong(open);
        break;
      }
      case openBrace:
      case openBracket: {
        elements += 1;
        inner = begin(bytes[at] === openBracket, inner, bounds);
        open.push(inner);
        break;
      }
      case closeBrace:
      case closeBracket:
        open.pop();
        inner = open.at(-1);
        break;
      case comma:
        elements += 1;
        if (inner === undefined) break;
        inner.index += 1;
        inner.isNameNext = !inner.isArray;
        if (inner.isArray && inner.field !== undefined && inner.index >= inner.field.most) {
          return { path: pathTo(open).slice(0, -1), most: inner.field.most, what: "items" };
        }
        length = 0;
        break;
      default:
        // Whitespace can have any length.
        length = (bytes[at] as number) > space ? length + 1 : 0;
        if (length > mostTextBytes) return textTooLong(open);
    }
    if (elements > most) return tooManyInAll;
  }
  return undefined;
}

const [space, quote, backslash, comma] = [0x20, 0x22, 0x5c, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

function begin(isArray: boolean, outer: Open | undefined, request: Bounds): Open {
  const fields = outer === undefined ? request : outer.field?.inner;
  return { isArray, fields, field: isArray ? outer?.field : undefined, index: 0, isNameNext: !isArray };
}

function textTooLong(open: readonly Open[]): TooMany {
  return { path: pathTo(open), most: mostTextBytes, what: "bytes" };
}

/** The position of the quote that ends a text, or a position beyond the longest text. */
function endOfText(bytes: Uint8Array, from: number): number {
  let at = from;
  const end = Math.min(bytes.length, from + mostTextBytes + 1);
  while (at < end && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return Math.min(at, end);
}

function nameIn(bytes: Uint8Array, from: number, to: number): string {
  const name = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString("latin1");
  if (!name.includes("\\")) return name;
  try {
    return JSON.parse(`"${name}"`);
  } catch {
    return name;
  }
}

/** The path of fields and indexes to the value that is being read. */
function pathTo(open: readonly Open[]): TooMany["path"] {
  return open.flatMap(({ field, isArray, index }) => {
    // For a list, the array knows the index, and the object around it only names the field.
    if (field === undefined || (field.field.fieldKind === "list" && !isArray)) return [];
    return pathOf(field, index);
  });
}
