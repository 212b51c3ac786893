import { type Actor, newActor } from "../authorization/actor.ts";
import { CommandError } from "./command-error.ts";

/** The option of every command that changes something. */
export type Reasoned = { readonly reason?: string };

const mostCharacters = 500;

/** Who makes the changes of a command, and why. A reason follows the same rules as in requests. */
export function commandLine({ reason = "" }: Reasoned): Actor {
  const text = reason.trim();
  // Node replaces bytes that are not UTF-8 by U+FFFD.
  if (!text.isWellFormed() || /[\0\ufffd]/.test(text)) {
    throw new CommandError("--reason must be UTF-8 text without NUL characters.");
  }
  const length = [...text].length;
  if (length > mostCharacters) throw new CommandError(`--reason must be at most 500 characters, got ${length}.`);
  return newActor(undefined, text);
}
