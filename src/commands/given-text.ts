import { CommandError } from "./command-error.ts";

/** What is wrong with a text that was given to an option; undefined if nothing is. */
export function problemOf(text: string, mostCharacters: number, mostBytes = Number.POSITIVE_INFINITY) {
  // Node replaces bytes that are not UTF-8 by U+FFFD.
  if (!text.isWellFormed() || /[\0\ufffd]/.test(text)) return "must be UTF-8 text without NUL characters";
  const length = [...text].length;
  if (length > mostCharacters) return `must be at most ${mostCharacters} characters, got ${length}`;
  const bytes = Buffer.byteLength(text);
  return bytes > mostBytes ? `must be at most ${mostBytes} bytes in UTF-8, got ${bytes}` : undefined;
}

export function requireText(option: string, text: string, mostCharacters: number): void {
  const problem = problemOf(text, mostCharacters);
  if (problem !== undefined) throw new CommandError(`${option} ${problem}.`);
}
