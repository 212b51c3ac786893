import { newActor } from "../../src/authorization/actor.ts";
import { CommandError } from "../../src/commands/command-error.ts";
import { readChanges } from "../../src/commands/import.ts";
import { postgresImport } from "../../src/postgres/directory/directory-store.ts";

export async function* numbered(lines: readonly string[]) {
  for (const [index, text] of lines.entries()) yield { number: index + 1, text };
}

/**
 * Imports lines as the command does. Resolves to what it says of the line it refuses, and its number; undefined if it
 * accepts all. Throws any other error.
 */
export async function importRefusal(
  url: string,
  lines: readonly string[],
): Promise<{ number: number; message: string } | undefined> {
  const store = postgresImport({ connectionString: url });
  try {
    await store.import(newActor(undefined, ""), readChanges(numbered(lines)), () => {});
    return undefined;
  } catch (error) {
    const [, number, message] = error instanceof CommandError ? (/^line (\d+): (.*)$/s.exec(error.message) ?? []) : [];
    if (message === undefined) throw error;
    return { number: Number(number), message };
  }
}
