import type { FoundAuthorization, Place } from "./authorization.ts";
import { toRfc3339 } from "./instant.ts";
import { Refusal } from "./refusal.ts";

/**
 * The first checks of every change, in their order. An authorization that the caller doesn't see doesn't exist for it.
 */
export function requireChangeable<Found extends FoundAuthorization>(
  seen: Found | undefined,
  requirePermission: (place: Place) => void,
  unchangedSince: bigint | undefined,
): Found {
  if (seen === undefined) throw notFound();
  requirePermission(seen);
  requireUnchangedSince(seen, unchangedSince);
  return seen;
}

/** The same answer whether the authorization never existed, is gone, or can't be seen. */
export function notFound(): Refusal {
  return new Refusal("AUTHORIZATION_NOT_FOUND", "there is no such authorization, or you can't see it");
}

/**
 * Throws AUTHORIZATION_CHANGED if the date a caller last saw is not the authorization's change date. The caller's date
 * is in nanoseconds, as sent. A date finer than a microsecond never matches.
 */
function requireUnchangedSince(authorization: FoundAuthorization, nanoseconds: bigint | undefined): void {
  if (nanoseconds !== undefined && nanoseconds !== authorization.changeDate * 1000n) {
    throw new Refusal(
      "AUTHORIZATION_CHANGED",
      "the authorization has changed since you read it: read it again, then repeat the change",
      {
        changeDate: toRfc3339(authorization.changeDate),
      },
    );
  }
}

/** Throws EXPIRATION_NOT_IN_FUTURE if there is a wanted end that has passed by the clock of the database. */
export function requireFuture({ isFuture }: { readonly isFuture: boolean }): void {
  if (isFuture) return;
  throw new Refusal("EXPIRATION_NOT_IN_FUTURE", "expirationDate: must be later than now");
}

/** The most keys in a message. The metadata has all of them. */
const mostNamed = 10;

/** Throws ROLE_NOT_FOUND with the keys that are not roles of the project, or not in the grant. */
export function requireAssignable({ unassignable }: { readonly unassignable: readonly string[] }): void {
  if (unassignable.length > 0) {
    const missing = unassignable.toSorted();
    const more = missing.length > mostNamed ? ` and ${missing.length - mostNamed} more` : "";
    const named = missing.slice(0, mostNamed).join(", ");
    throw new Refusal("ROLE_NOT_FOUND", `roleKeys: not assignable in this project and organization: ${named}${more}`, {
      roleKeys: JSON.stringify(missing),
    });
  }
}
