import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { type Bounds, mostElements, pathOf, type TooMany, tooManyInAll } from "./element-bounds.ts";

/** Deeper than the library reads, so the library is always the first to stop. */
const mostLevels = 101;

/**
 * Finds the first list with too many items in a binary request, without decoding it. It goes through the bytes exactly
 * like the library, which reads a known field by its declared type, whatever its wire type says. Otherwise a million
 * items could hide in bytes that only one of the two takes for a text. Both stop at malformed bytes.
 */
export function tooManyInBinary(bounds: Bounds, bytes: Uint8Array, most = mostElements): TooMany | undefined {
  try {
    return search(bounds, { reader: new BinaryReader(bytes), left: most }, bytes.length, mostLevels);
  } catch {
    return undefined;
  }
}

type Progress = { readonly reader: BinaryReader; left: number };

function search(within: Bounds, progress: Progress, end: number, levels: number): TooMany | undefined {
  if (levels === 0) throw new Error("nested too deep");
  const { reader } = progress;
  const counts = new Map<number, number>();
  while (reader.pos < end) {
    const [number, wireType] = reader.tag();
    progress.left -= 1;
    if (progress.left < 0) return tooManyInAll;
    const one = within.numbers.get(number);
    if (one === undefined) {
      if (!skip(wireType, number, progress, levels)) return tooManyInAll;
      continue;
    }
    const index = counts.get(number) ?? 0;
    counts.set(number, index + 1);
    if (index >= one.most) return { path: [one.field], most: one.most, what: "items" };
    if (one.inner === undefined) {
      skip(one.wireType, number, progress, levels);
      continue;
    }
    const length = reader.uint32();
    const found = search(one.inner, progress, reader.pos + length, levels - 1);
    if (found === tooManyInAll) return found;
    if (found !== undefined) return { ...found, path: [...pathOf(one, index), ...found.path] };
  }
  return undefined;
}

/** Skips a value. Returns false if a group has too many elements. */
function skip(wireType: WireType, number: number, progress: Progress, levels: number): boolean {
  const { reader } = progress;
  if (wireType === WireType.LengthDelimited) {
    const length = reader.uint32();
    reader.pos += length;
    if (reader.pos > reader.len) throw new Error("cut off");
    return true;
  }
  if (wireType !== WireType.StartGroup) {
    reader.skip(wireType, number);
    return true;
  }
  if (levels === 0) throw new Error("nested too deep");
  for (;;) {
    const [innerNumber, innerType] = reader.tag();
    if (innerType === WireType.EndGroup) return true;
    progress.left -= 1;
    if (progress.left < 0 || !skip(innerType, innerNumber, progress, levels - 1)) return false;
  }
}
