/** Who makes a change, for its events (docs/reference/history.md). */
export type Actor = {
  /** Undefined for the command line. */
  readonly userId: string | undefined;
  /** The same for all events of one request. The server makes it, so callers can't choose one that is taken. */
  readonly requestId: string;
  /** Why the change is made, in the caller's words; may be empty. */
  readonly reason: string;
};

/** A user who acts, and not the command line. */
export type ActingUser = Actor & { readonly userId: string };

/** The actor of one request or command. */
export function newActor<UserId extends string | undefined>(
  userId: UserId,
  reason: string,
): Actor & { readonly userId: UserId } {
  return { userId, requestId: crypto.randomUUID(), reason };
}
