/** A moment in microseconds since 1970; a number holds it exactly. */
export type Moment = number;

/** Where an authorization is. At most one exists at a time, so this is what writes contend for: deleting frees it. */
export type Combination = {
  readonly key: string;
  readonly userId: string;
  readonly projectId: string;
  readonly organizationId: string;
};

/** An authorization as answers and the database show it. */
export type Row = {
  readonly key: string;
  readonly id: string;
  readonly creationDate: Moment;
  readonly changeDate: Moment;
  readonly state: "active" | "inactive";
  /** The keys in order, joined by commas. */
  readonly roles: string;
  readonly expirationDate?: Moment | undefined;
  /** Whether it is inactive only because its end has passed. */
  readonly expired: boolean;
};

export type Request =
  | { readonly kind: "create"; readonly roles: string; readonly expirationDate?: Moment | undefined }
  | {
      readonly kind: "update";
      readonly id: string;
      readonly roles: string;
      /** Undefined leaves the end as it is. */
      readonly expirationDate?: Moment | "none" | undefined;
      readonly ifUnchangedSince?: Moment | undefined;
    }
  | {
      readonly kind: "activate" | "deactivate" | "delete";
      readonly id: string;
      readonly ifUnchangedSince?: Moment | undefined;
    }
  /** The one of the combination, or the one of that id. */
  | { readonly kind: "read"; readonly id?: string | undefined };

/** What the answer says. */
export type Outcome =
  | { readonly kind: "done"; readonly id?: string; readonly date: Moment }
  | { readonly kind: "shown"; readonly row: Row | undefined }
  | { readonly kind: "listed"; readonly rows: readonly Row[]; readonly total: number }
  | { readonly kind: "applied" }
  | {
      readonly kind: "refused";
      readonly reason: string;
      readonly id?: string | undefined;
      readonly changeDate?: Moment | undefined;
    }
  /** Surely nothing was done: the request did not get in, or it was one that does nothing. */
  | { readonly kind: "nothing"; readonly why: string }
  /** Timed out, or the connection broke: it may have happened, or may happen at any later time, or never. */
  | { readonly kind: "unknown"; readonly why: string }
  /** What the service must never answer. */
  | { readonly kind: "wrong"; readonly why: string };

/** A call as its client saw it. Times are of one monotonic clock, in milliseconds since 1970. */
type Call = {
  readonly client: string;
  readonly server: string;
  readonly start: number;
  readonly end: number;
  readonly outcome: Outcome;
};

/** A read or a write of one authorization. */
export type Operation = Call & {
  readonly on: Combination;
  readonly request: Request;
  /** What a write gave as its reason, which no other one gives. */
  readonly reason: string;
};

/** A list of many, newest first. */
export type ListCall = Call & { readonly scope: Scope };

export type Scope = {
  readonly projectId?: string | undefined;
  readonly organizationId?: string | undefined;
  readonly state?: Row["state"] | undefined;
  readonly role?: string | undefined;
  readonly offset: number;
  readonly limit: number;
};

/** A change of the directory that authorizations follow. */
export type DirectoryCall = Call & { readonly change: DirectoryChange };

/**
 * The seasonal role of the fair: it leaves the project and, with it, the grant; comes back to the project alone; and is
 * granted or taken from the grant.
 */
export type DirectoryChange = "remove role" | "add role" | "grant key" | "take key";

/** An event as the database holds it. */
export type StoredEvent = {
  readonly sequence: number;
  readonly key: string;
  readonly id: string;
  readonly type: string;
  readonly date: Moment;
  readonly actor: string | null;
  /** That of the request that made it; empty if an end made it. */
  readonly reason: string;
  readonly roles: string;
  readonly state: Row["state"] | null;
  readonly expirationDate?: Moment | undefined;
  readonly expirationDateBefore?: Moment | undefined;
};

/** What one caller was told by the streams that it followed, one after the other, until everybody had stopped. */
export type Watched = {
  readonly client: string;
  readonly filter: { readonly projectId?: string; readonly types?: readonly string[] };
  /** The sequences in their order. A new life begins where its streams could not be continued. */
  readonly lives: number[][];
  readonly told: Map<number, StoredEvent>;
  /** Why its streams ended. */
  readonly breaks: string[];
  /** What a stream must not do. */
  readonly wrong: string[];
};

/** What the clients saw, and what was left when everybody had stopped. */
export type History = {
  readonly operations: readonly Operation[];
  readonly lists: readonly ListCall[];
  readonly directory: readonly DirectoryCall[];
  readonly events: readonly StoredEvent[];
  readonly rows: readonly Row[];
  /** How far the clock of Postgres was from the times of calls, at most, in milliseconds. */
  readonly clockSkew: number;
};

export type Violation = { readonly what: string; readonly details: readonly string[] };
