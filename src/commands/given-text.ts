import { CommandError } from "./command-error.ts";

/** What is wrong with a text that was given to an option; undefined if nothing is. */
export function problemOf(text: string, mostCharacters: number): string | undefined {
  // Node replaces bytes that are not UTF-8 by U+FFFD.
  if (!text.isWellFormed() || /[\0\ufffd]/.test(text)) return "must be UTF-8 text without NUL characters";
  const length = [...text].length;
  return length > mostCharacters ? `must be at most ${mostCharacters} characters, got ${length}` : undefined;
}

export function requireText(option: string, text: string, mostCharacters: number): void {
  const problem = problemOf(text, mostCharacters);
  if (problem !== undefined) throw new CommandError(`${option} ${problem}.`);
}
