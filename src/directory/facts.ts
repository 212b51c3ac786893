import type { Scope } from "../authorization/permissions.ts";
import type { Change, PlacedChange } from "./change.ts";

/** What is stored about the things that a request names, as far as it decides whether the caller may change them. */
export type Facts = {
  readonly users: ReadonlyMap<string, Entered & { readonly organizationId: string }>;
  /** Organizations to remove: whether any of their users has such an entry. */
  readonly organizations: ReadonlyMap<string, Entered>;
  readonly projects: ReadonlyMap<string, { readonly ownerId: string }>;
  readonly projectGrants: ReadonlyMap<
    string,
    {
      readonly projectId: string;
      readonly ownerId: string;
      /** The organization the project is granted to. */
      readonly organizationId: string;
    }
  >;
  /** The roles of entries, by `keyOfEntry`. */
  readonly entries: ReadonlyMap<string, readonly string[]>;
  /** By id, the organization that a removed user, project or grant was in; for a grant, the project's owner. */
  readonly formerly: { readonly [kind in Inheritable]: ReadonlyMap<string, string> };
};

/** Things whose ids can be used again only by those who may change the organization they were in. */
export type Inheritable = "user" | "project" | "projectGrant";

/** Which entries of a user keep others from changing it. */
export type Entered = {
  readonly onInstance: boolean;
  /** On the organization that the user belongs to. */
  readonly onOrganization: boolean;
};

export function keyOfEntry(userId: string, scope: Scope): string {
  return [userId, scope.kind, scope.id].join("\0");
}

/** The things whose facts are needed to judge changes. */
export type Named = {
  readonly users: readonly string[];
  /** Only those to remove. */
  readonly organizations: readonly string[];
  readonly projects: readonly string[];
  readonly projectGrants: readonly string[];
  readonly entries: readonly { readonly userId: string; readonly scope: Scope }[];
};

export function namedBy(changes: readonly PlacedChange[]): Named {
  const names = changes.flatMap(({ change }) => namesIn(change));
  const idsOf = (kind: Name["kind"]) => [...new Set(names.flatMap((name) => (name.kind === kind ? [name.id] : [])))];
  return {
    users: idsOf("user"),
    organizations: idsOf("organization"),
    projects: idsOf("project"),
    projectGrants: idsOf("projectGrant"),
    entries: changes.flatMap(({ change }) => {
      const thing = change.kind === "removal" ? change.thing : change;
      return thing.kind === "administrator" ? [thing] : [];
    }),
  };
}

type Name = { readonly kind: "user" | "organization" | "project" | "projectGrant"; readonly id: string };

function namesIn(change: Change): Name[] {
  const thing = change.kind === "removal" ? change.thing : change;
  switch (thing.kind) {
    case "organization":
      return change.kind === "removal" ? [{ kind: thing.kind, id: thing.id }] : [];
    case "user":
    case "project":
      return [{ kind: thing.kind, id: thing.id }];
    case "projectRole":
      return [{ kind: "project", id: thing.projectId }];
    case "projectGrant": {
      const its: Name[] = change.kind === thing.kind ? [{ kind: "project", id: change.projectId }] : [];
      return [{ kind: thing.kind, id: thing.id }, ...its];
    }
    case "administrator": {
      const { kind, id } = thing.scope;
      return kind === "project" || kind === "projectGrant" ? [{ kind, id }] : [];
    }
    case "authorization":
      return [];
  }
}
