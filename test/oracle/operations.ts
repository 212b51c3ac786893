import type { AuthorizationChange, Change } from "./model/change.ts";
import type { CreateRequest, Ending } from "./model/changes-of-authorizations.ts";
import type { CheckRolesRequest } from "./model/check-roles.ts";
import type { Filter, ListRequest } from "./model/list.ts";
import type { ListAdministratorsRequest } from "./model/list-administrators.ts";
import type { LookUpFilter, LookUpRequest } from "./model/look-ups.ts";
import type { OffboardRequest } from "./model/offboard.ts";
import type { OverviewRequest } from "./model/overview.ts";
import type { PlannedListDirectoryEvents, PlannedListEvents } from "./resolve-events.ts";

/**
 * A case in JSON: a world, and what is asked of it one after the other. What only exists once the case runs is named by
 * its place: the second authorization the caller sees, the third that was removed.
 */
export type Case = {
  /** Whether the world comes by the import command rather than by ApplyChanges. */
  readonly imported: boolean;
  readonly world: Change[];
  readonly operations: Operation[];
};

/** Done by one caller, by the command line ("import"), or by every caller, one after the other ("everybody"). */
export type Operation = { as: string } & (
  | { list: Omit<ListRequest, "filters"> & { filters: PlannedFilter[] } }
  | BatchItem
  | { batch: BatchOperation }
  | { apply: ApplyOperation }
  | { offboard: OffboardRequest }
  | { listAdministrators: ListAdministratorsRequest }
  | { getCaller: object }
  /** About the user of an authorization ("its"), or whoever it says. */
  | { explainAccess: { target: Target; about: string } }
  | { checkRoles: CheckRolesRequest }
  | { listEvents: PlannedListEvents }
  | { listDirectoryEvents: PlannedListDirectoryEvents }
  | { lookUp: PlannedLookUp }
  | { overview: Omit<OverviewRequest, "filters"> & { filters: PlannedFilter[] } }
  /** The user is given a token if it has none. */
  | { token: string }
  /** The user's token, if it has one, and all that were made with it. */
  | { revoke: string }
  /** If both have a token, this user's counts as made with the other one's, unless that was made with it. */
  | { made: string; with: string }
  /** The events from before one of the operations, counted around, are archived. */
  | { archive: { before: number } }
  /** The clock passes the end of an assignment that has one. */
  | { pass: Target }
  /** The ends that have passed are written. */
  | { settle: object }
);

/** An operation that is a request of a caller. */
export type Requested = Exclude<
  Operation,
  | { token: string }
  | { revoke: string }
  | { made: string; with: string }
  | { archive: object }
  | { pass: Target }
  | { settle: object }
>;

/** An authorization by its id, or the one at this place, counted around, among those there are. */
export type Target = string | { among: "live" | "visible" | "removed"; at: number };

/** The change date it has, that date with a nanosecond more, the date of its last change but one, or none it ever had. */
export type Since = "current" | "finer" | "earlier" | "never";

/**
 * A filter as it is, one that nests others, or one that an authorization suggests: by its id, or by a piece of one of its texts, at times in
 * the other case.
 */
export type PlannedFilter =
  | Filter
  | { anyOfPlanned: PlannedFilter[] }
  | { allOfPlanned: PlannedFilter[] }
  | { notPlanned: PlannedFilter }
  | { targets: Target[] }
  | { near: Target; kind: string; method: string; from: number; length: number; swapCase: boolean };

/** A look-up by one of the RPCs of DirectoryService. */
export type PlannedLookUp = Omit<LookUpRequest, "filters"> & {
  rpc: "ListOrganizations" | "ListProjects" | "ListUsers";
  filters: PlannedLookUpFilter[];
};

/** A filter as it is, or one made of a piece of the name that is at this place, counted around. */
export type PlannedLookUpFilter =
  | LookUpFilter
  | { near: number; kind: string; method: string; from: number; length: number; swapCase: boolean };

/** Where there is a project of the organization or a grant to it, counted around, instead of where it says. */
export type Placed = {
  place?: number;
  /** Leaves out the keys that cannot be held there. */
  onlyAssignable: boolean;
};

/** Single calls of one kind in one request. */
export type BatchOperation = {
  items: BatchItem[];
  atomic: boolean;
};

export type BatchItem =
  | { create: CreateRequest & Placed }
  | { update: { target: Target; roleKeys: string[] | "same"; since?: Since; onlyAssignable: boolean } & Ending }
  | { [rpc in "delete" | "activate" | "deactivate"]?: { target: Target; since?: Since } };

export type ApplyOperation = {
  changes: PlannedChange[];
  /** Leaves out the changes that would be refused, but for so many. */
  refused: number;
};

/** Keeps what never changes as it is stored, when the thing is there. */
export type PlannedChange = {
  change: Exclude<Change, { authorization: unknown }> | { authorization: PlannedAuthorization };
  keep: boolean;
};

export type PlannedAuthorization = Omit<AuthorizationChange, "id"> &
  Placed & {
    target: Target;
    /** Lets it hold what it holds. */
    sameKeys: boolean;
  };
