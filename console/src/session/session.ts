import { useSyncExternalStore } from "react";

/** Why nobody is signed in: nobody was yet, the token was refused, or the person left. */
export type Ending = "new" | "refused" | "left";

export type Session = { readonly token: string } | { readonly token: undefined; readonly ending: Ending };

/** Session storage forgets when the tab is closed, and no other tab reads it. A token is never part of an address. */
const key = "authorization-console.token";

let session: Session = startOf(readToken());
const listeners = new Set<() => void>();

/** Who uses the page at the moment; components that call it follow every change. */
export function useSession(): Session {
  return useSyncExternalStore(listen, currentSession);
}

export function currentSession(): Session {
  return session;
}

/** Begins to use a token. Whether the service accepts it shows with the first call. */
export function beginSession(token: string): void {
  store(() => sessionStorage.setItem(key, token));
  become({ token });
}

/** Forgets the token. */
export function endSession(ending: Ending): void {
  store(() => sessionStorage.removeItem(key));
  become({ token: undefined, ending });
}

function become(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function startOf(token: string | null): Session {
  return token === null ? { token: undefined, ending: "new" } : { token };
}

function readToken(): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Where the browser forbids storage, the token lives in memory until the page is left. */
function store(change: () => void): void {
  try {
    change();
  } catch {
    // It is in memory.
  }
}
