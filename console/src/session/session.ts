import { useSyncExternalStore } from "react";

/** Data that belongs to a token of an OpenID Connect issuer. */
export type Issued = {
  /** In milliseconds since 1970; undefined if the issuer doesn't say. */
  readonly expiresAt?: number;
  /** The refresh token, which is exchanged for the next token. */
  readonly refreshToken?: string;
};

/** A token and what is known about it. Tabs that got it from each other share the session. */
export type SignedIn = {
  readonly token: string;
  readonly issued?: Issued;
  /** The same in all tabs of the session, whatever its current token. */
  readonly id: string;
  /** Whether the service has ever accepted it. */
  readonly hasWorked: boolean;
  /** The id of the user, once the service has told it to this page. */
  readonly user?: string;
};

/** Why no one is signed in. */
export type Ending =
  /** No one has signed in yet. */
  | "new"
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

export type SignedOut = {
  readonly token: undefined;
  readonly ending: Ending;
  readonly problem?: string;
  /** The id of the user whose view is kept until they are back. */
  readonly keptFor?: string;
};

/** The number of the view. It rises when a view is dropped because it belonged to another person. */
export type Session = (SignedIn | SignedOut) & { readonly view: number };

/**
 * Session storage is cleared when the tab is closed, and no other tab can read it. A token is never part of an address.
 */
const tokenKey = "authorization-console.token";
/** The rest of the session, without the user, because the page asks the service again who it is. */
const sessionKey = "authorization-console.session";

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

/** A new session with a token. */
export function newSession(token: string, issued?: Issued): SignedIn {
  const id = [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join("-");
  return { token, ...(issued && { issued }), id, hasWorked: false };
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
  else endSession(hasWorked || endsWithin(issued, 0) ? "expired" : "unaccepted");
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
  store(next);
  for (const listener of listeners) listener();
}

function store(next: Session): void {
  try {
    sessionStorage.removeItem(tokenKey);
    sessionStorage.removeItem(sessionKey);
    if (next.token === undefined) return;
    const { token, issued, id, hasWorked } = next;
    sessionStorage.setItem(tokenKey, token);
    sessionStorage.setItem(sessionKey, JSON.stringify({ issued, id, hasWorked }));
  } catch {
    // If the browser forbids storage, the session stays in memory until the page is left.
  }
}

/** The session of this tab from before a reload. */
export function readStored(): SignedIn | undefined {
  try {
    const token = sessionStorage.getItem(tokenKey);
    if (token === null) return undefined;
    return { ...newSession(token), ...JSON.parse(sessionStorage.getItem(sessionKey) ?? "{}"), token };
  } catch {
    // There is no storage, or it has nothing that this page wrote.
    return undefined;
  }
}
