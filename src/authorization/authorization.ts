/** Microseconds since 1970-01-01T00:00:00Z, the precision of Postgres. */
export type Instant = bigint;

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
};

/** An authorization to create, in the place found for it. */
export type NewAuthorization = {
  readonly id: string;
  readonly userId: string;
  readonly place: Place;
  readonly roleKeys: readonly string[];
};

/** The last removal of an authorization. */
export type RemovedAuthorization = Place & { readonly removalDate: Instant };
