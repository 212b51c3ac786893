/** Microseconds since 1970-01-01T00:00:00Z, the precision of Postgres. */
export type Instant = bigint;

/** An end that is asked for: undefined for the one that there is, infinite for none. */
export type Ending = Instant | "infinity" | undefined;

export type State = "active" | "inactive";

/** Where an authorization is, which decides the permissions on it. Never changes. */
export type Place = {
  readonly projectId: string;
  /** The project's owner, or the organization the project is granted to. */
  readonly organizationId: string;
  /** The grant that the authorization depends on; empty if the organization owns the project. */
  readonly projectGrantId: string;
};

/** An authorization as a list shows it, with the current names of everything it refers to. */
export type Authorization = {
  readonly id: string;
  readonly creationDate: Instant;
  readonly changeDate: Instant;
  readonly project: Project;
  readonly organization: Organization;
  readonly user: User;
  readonly state: State;
  /** The first moment at which it is no longer active; undefined if it doesn't end. */
  readonly expirationDate: Instant | undefined;
  /** Whether it is inactive only because its end has passed. */
  readonly expired: boolean;
  /** Sorted by key. */
  readonly roles: readonly Role[];
};

export type User = {
  readonly id: string;
  readonly preferredLoginName: string;
  readonly displayName: string;
  readonly avatarUrl: string;
  readonly organizationId: string;
};

export type Organization = { readonly id: string; readonly name: string };

/** With the organization that owns it. */
export type Project = Organization & { readonly organizationId: string };

export type Role = { readonly key: string; readonly displayName: string; readonly group: string };

/** An authorization as a change finds it, with only the fields that decide the change. */
export type FoundAuthorization = Place & {
  readonly id: string;
  readonly state: State;
  readonly changeDate: Instant;
  /** Another one after every change, of the roles too. */
  readonly version: string;
  /** Whether it is inactive only because its end has passed. */
  readonly expired: boolean;
  /** Whether its end has passed. */
  readonly ended: boolean;
};

/** An authorization to create, in the place found for it. */
export type NewAuthorization = {
  readonly id: string;
  readonly userId: string;
  readonly place: Place;
  readonly roleKeys: readonly string[];
  readonly ending: Ending;
};

/** The last removal of an authorization. */
export type RemovedAuthorization = Place & { readonly removalDate: Instant };
