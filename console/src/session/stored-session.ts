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

/**
 * Session storage is cleared when the tab is closed, and no other tab can read it. A token is never part of an address.
 */
const tokenKey = "authorization-console.token";
/** The rest of the session, without the user, because the page asks the service again who it is. */
const sessionKey = "authorization-console.session";

/** A new session with a token. */
export function newSession(token: string, issued?: Issued): SignedIn {
  const id = [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join("-");
  return { token, ...(issued && { issued }), id, hasWorked: false };
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

export function store({ token, issued, id, hasWorked }: SignedIn): void {
  whereAllowed(() => {
    sessionStorage.setItem(tokenKey, token);
    sessionStorage.setItem(sessionKey, JSON.stringify({ issued, id, hasWorked }));
  });
}

export function forgetStored(): void {
  whereAllowed(() => {
    sessionStorage.removeItem(tokenKey);
    sessionStorage.removeItem(sessionKey);
  });
}

/** If the browser forbids storage, the session stays in memory until the page is left. */
function whereAllowed(change: () => void): void {
  try {
    change();
  } catch {
    // It is in memory.
  }
}
