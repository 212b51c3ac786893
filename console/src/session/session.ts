import { useSyncExternalStore } from "react";

/** Why nobody is signed in. */
export type Ending =
  /** Nobody was yet. */
  | "new"
  | "left"
  /** The service did not accept a token that was pasted. */
  | "refused"
  /** The service did not accept a token of the issuer: it does not know the account. */
  | "unaccepted"
  /** A token of the issuer has ended, and no other can be had without the person. */
  | "expired"
  /** Somebody has come back from the issuer, and the code is being exchanged. */
  | "returning"
  /** Somebody has come back from the issuer without a token; the problem says why. */
  | "failed";

/** What comes with a token of an OpenID Connect issuer. */
export type Issued = {
  /** In milliseconds since 1970; undefined where the issuer does not say. */
  readonly expiresAt?: number;
  /** What a new token can be had for. */
  readonly refreshToken?: string;
};

export type Session =
  | { readonly token: string; readonly issued?: Issued }
  | { readonly token: undefined; readonly ending: Ending; readonly problem?: string };

/** Session storage forgets when the tab is closed, and no other tab reads it. A token is never part of an address. */
const tokenKey = "authorization-console.token";
const issuedKey = "authorization-console.issued";

let session: Session = readSession();
const listeners = new Set<() => void>();

/** Who uses the page at the moment; components that call it follow every change. */
export function useSession(): Session {
  return useSyncExternalStore(onSessionChange, currentSession);
}

export function currentSession(): Session {
  return session;
}

/** Calls the listener after every change. Answers with what ends that. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Begins to use a token. Whether the service accepts it shows with the first call. */
export function beginSession(token: string, issued?: Issued): void {
  store(() => {
    sessionStorage.setItem(tokenKey, token);
    if (issued === undefined) sessionStorage.removeItem(issuedKey);
    else sessionStorage.setItem(issuedKey, JSON.stringify(issued));
  });
  become({ token, ...(issued && { issued }) });
}

/** Forgets the token. */
export function endSession(ending: Ending, problem?: string): void {
  store(() => {
    sessionStorage.removeItem(tokenKey);
    sessionStorage.removeItem(issuedKey);
  });
  become({ token: undefined, ending, ...(problem !== undefined && { problem }) });
}

/** Ends the session whose token the service has refused. A refusal of an earlier token says nothing about it. */
export function endRefusedSession(token: string): void {
  if (session.token !== token) return;
  const { issued } = session;
  if (issued === undefined) endSession("refused");
  else endSession(issued.expiresAt !== undefined && issued.expiresAt > Date.now() ? "unaccepted" : "expired");
}

function become(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

function readSession(): Session {
  try {
    const token = sessionStorage.getItem(tokenKey);
    const issued = sessionStorage.getItem(issuedKey);
    if (token !== null) return { token, ...(issued !== null && { issued: JSON.parse(issued) as Issued }) };
  } catch {
    // There is no storage, or nothing that this page wrote.
  }
  return { token: undefined, ending: "new" };
}

/** Where the browser forbids storage, the token lives in memory until the page is left. */
function store(change: () => void): void {
  try {
    change();
  } catch {
    // It is in memory.
  }
}
