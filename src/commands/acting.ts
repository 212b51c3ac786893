import { type Actor, newActor } from "../authorization/actor.ts";
import { requireText } from "./given-text.ts";

/** The option of every command that changes something. */
export type Reasoned = { readonly reason?: string };

/** Who makes the changes of a command, and why. A reason follows the same rules as in requests. */
export function commandLine({ reason = "" }: Reasoned): Actor {
  const text = reason.trim();
  requireText("--reason", text, 500);
  return newActor(undefined, text);
}
