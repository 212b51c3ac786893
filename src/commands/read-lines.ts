import { CommandError } from "./command-error.ts";

/** A line of text and its number, counted from 1. */
export type Line = { readonly number: number; readonly text: string };

/** No change is longer, by far; a file without line ends must not fill the memory. */
const longestLine = 16 * 1024 * 1024;

/** Splits UTF-8 bytes into lines. Empty lines are counted and left out. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let number = 0;
  let rest = "";
  for await (const chunk of chunks) {
    const pieces = (rest + decode(decoder, chunk, number)).split("\n");
    rest = pieces.pop() ?? "";
    for (const text of pieces) {
      number += 1;
      if (text.trim() !== "") yield { number, text };
    }
    if (rest.length > longestLine) throw new CommandError(`line ${number + 1}: is longer than 16 MiB`);
  }
  rest += decode(decoder, undefined, number);
  if (rest.trim() !== "") yield { number: number + 1, text: rest };
}

function decode(decoder: TextDecoder, chunk: Uint8Array | undefined, linesBefore: number): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    throw new CommandError(`after line ${linesBefore}: the file is not UTF-8`);
  }
}
