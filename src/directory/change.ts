import type { Ending, Instant, State } from "../authorization/authorization.ts";
import { isFittingRole, type Scope } from "../authorization/permissions.ts";
import { Refusal } from "../authorization/refusal.ts";

/** One change of the directory (docs/reference/directory.md). */
export type Change = Upsert | { readonly kind: "removal"; readonly thing: Removal };

/** Names a thing to remove. Removing something that doesn't exist changes nothing. */
export type Removal =
  | { readonly kind: "organization" | "user" | "project" | "projectGrant" | "authorization"; readonly id: string }
  | { readonly kind: "projectRole"; readonly projectId: string; readonly key: string }
  | { readonly kind: "administrator"; readonly userId: string; readonly scope: Scope };

/** A thing to add, or to replace as a whole. */
export type Upsert =
  | { readonly kind: "organization"; readonly id: string; readonly name: string }
  | {
      readonly kind: "user";
      readonly id: string;
      readonly organizationId: string;
      readonly preferredLoginName: string;
      readonly displayName: string;
      readonly avatarUrl: string;
    }
  | { readonly kind: "project"; readonly id: string; readonly organizationId: string; readonly name: string }
  | {
      readonly kind: "projectRole";
      readonly projectId: string;
      readonly key: string;
      readonly displayName: string;
      readonly group: string;
      /** Undefined: an existing one keeps its description, and a new one has none. */
      readonly description?: string | undefined;
    }
  | {
      readonly kind: "projectGrant";
      readonly id: string;
      readonly projectId: string;
      readonly organizationId: string;
      readonly roleKeys: readonly string[];
    }
  | {
      readonly kind: "administrator";
      readonly userId: string;
      readonly scope: Scope;
      /** Names as given, to be checked before they are applied. An entry without roles is removed. */
      readonly roles: readonly string[];
    }
  | {
      readonly kind: "authorization";
      readonly id: string;
      readonly userId: string;
      readonly projectId: string;
      readonly organizationId: string;
      readonly roleKeys: readonly string[];
      /** Undefined: a new one is active, an existing one keeps its state. */
      readonly state: State | undefined;
      /**
       * Undefined: an existing one keeps its date; a new one gets the current time, or the change date if that is
       * earlier.
       */
      readonly creationDate: Instant | undefined;
      /** Undefined: a new one gets the creation date; an existing one the current time, if anything changes. */
      readonly changeDate: Instant | undefined;
      /** Undefined: an existing one keeps its end, and a new one has none. Infinite: the end is removed. */
      readonly expirationDate: Ending;
      /** Whether it is inactive only because its end has passed. Then the state is inactive. */
      readonly expired: boolean;
    };

/** A change and its position: its line in a file, from 1, or its index in a request, from 0. */
export type PlacedChange = { readonly position: number; readonly change: Change };

/** Throws ADMINISTRATOR_ROLE_INVALID if an entry has a role that is unknown, or can't be held in its scope. */
export function requireAdministratorRoles(change: Change, position?: number): void {
  if (change.kind !== "administrator") return;
  const role = change.roles.find((name) => !isFittingRole(name, change.scope));
  if (role === undefined) return;
  const what = `${role} is not an administrator role for this kind of scope`;
  const where = position === undefined ? {} : { index: String(position), what };
  throw new Refusal("ADMINISTRATOR_ROLE_INVALID", what, { role, ...where });
}
