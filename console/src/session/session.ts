import { useSyncExternalStore } from "react";
import { forgetStored, type Issued, readStored, type SignedIn, store } from "./stored-session.ts";

/** Why no one is signed in. */
export type Ending =
  /** No one has signed in yet. */
  | "new"
  /** The other tabs of this browser are being asked for their session. */
  | "asking"
  | "left"
  /** The service did not accept a pasted token. */
  | "refused"
  /** The service did not accept the issuer's token, because it doesn't know the account. */
  | "unaccepted"
  /** The service no longer accepts a pasted token. */
  | "ended"
  /** The issuer's token has expired, and a new one requires the person. */
  | "expired"
  /** A person has come back from the issuer, and the code is being exchanged. */
  | "returning"
  /** The service is being asked who has signed in, because a view is kept for one person. */
  | "checking"
  /** Signing in has failed. The problem says why. */
  | "failed";

type SignedOut = {
  readonly token: undefined;
  readonly ending: Ending;
  readonly problem?: string;
  /** The id of the user whose view is kept until they are back. */
  readonly keptFor?: string;
};

/** The number of the view. It rises when a view is dropped because it belonged to another person. */
export type Session = (SignedIn | SignedOut) & { readonly view: number };

let session: Session = { ...(readStored() ?? { token: undefined, ending: "new" }), view: 0 };
const listeners = new Set<() => void>();

/** The current session. Components that call this follow every change. */
export function useSession(): Session {
  return useSyncExternalStore(onSessionChange, currentSession);
}

export function currentSession(): Session {
  return session;
}

/** Calls the listener after every change. Returns a function to stop. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Starts to use a session. Drops the kept or visible view, unless it belongs to the same user. */
export function beginSession(next: SignedIn): void {
  const owner = session.token === undefined ? session.keptFor : session.user;
  const isSame = next.user !== undefined && next.user === owner;
  become({ ...next, view: isSame ? session.view : session.view + 1 });
}

/** Continues with a newer token of the same session. */
export function renewSession(token: string, issued: Issued | undefined): void {
  if (session.token === undefined) return;
  const { issued: _, ...rest } = session;
  become({ ...rest, token, ...(issued && { issued }) });
}

/** Records that the service has accepted the token, and whose it is. */
export function learnUser(token: string, user: string): void {
  if (session.token === token && session.user !== user) become({ ...session, user, hasWorked: true });
}

/** Forgets the token. If the token has expired, the person's view is kept until someone signs in. */
export function endSession(ending: Ending, problem?: string): void {
  const keptFor = keptAfter(ending);
  become({
    token: undefined,
    ending,
    ...(problem !== undefined && { problem }),
    ...(keptFor !== undefined && { keptFor }),
    view: keptFor === undefined ? session.view + 1 : session.view,
  });
}

/**
 * Ends the session if the service has refused its current token. A refusal of an earlier token says nothing about it.
 */
export function endRefusedSession(token: string): void {
  if (session.token !== token) return;
  const { issued, hasWorked } = session;
  if (issued === undefined) endSession(hasWorked ? "ended" : "refused");
  else if (hasWorked || endsWithin(issued, 0)) endSession("expired");
  else endSession("unaccepted");
}

/** Whether the issuer's token expires within this time, in milliseconds. */
export function endsWithin({ expiresAt }: Issued, milliseconds: number): boolean {
  return expiresAt !== undefined && expiresAt - milliseconds <= Date.now();
}

function keptAfter(ending: Ending): string | undefined {
  if (ending === "left") return undefined;
  if (session.token === undefined) return session.keptFor;
  return ending === "ended" || ending === "expired" ? session.user : undefined;
}

function become(next: Session): void {
  session = next;
  if (next.token === undefined) forgetStored();
  else store(next);
  for (const listener of listeners) listener();
}
