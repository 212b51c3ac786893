import { CommandError } from "./command-error.ts";

/** A line of text and its number, counted from 1. */
export type Line = { readonly number: number; readonly text: string };

/** Far longer than any change. A file without line ends must not fill the memory. */
const longestLine = 16 * 1024 * 1024;

const lineFeed = 0x0a;

/**
 * Splits UTF-8 bytes into lines. Empty lines are counted but left out. It splits before it decodes, so it knows the
 * number of a line that is not UTF-8. This is safe, because no other character contains the byte of a line feed.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let number = 1;
  let begun: Uint8Array[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      const line = decodeLine([...begun, chunk.subarray(start, end)], number);
      if (line !== undefined) yield line;
      begun = [];
      start = end + 1;
      number += 1;
    }
    begun.push(chunk.subarray(start));
    requireShort(begun, number);
  }
  const last = decodeLine(begun, number);
  if (last !== undefined) yield last;
}

const decoder = new TextDecoder("utf-8", { fatal: true });

function decodeLine(pieces: Uint8Array[], number: number): Line | undefined {
  requireShort(pieces, number);
  try {
    const text = decoder.decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces));
    return text.trim() === "" ? undefined : { number, text };
  } catch {
    throw new CommandError(`line ${number}: must be UTF-8`);
  }
}

function requireShort(pieces: Uint8Array[], number: number): void {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (length > longestLine) throw new CommandError(`line ${number}: must be at most 16 MiB long`);
}
