import { type Authorization, type GetCallerResponse, State } from "@authorization-service/client";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { may } from "../directory/rights.ts";
import { nameOf } from "../parts/role-chips.tsx";
import { assignmentChangeWords, batchWords as words } from "../words/assignment-changes.ts";
import { endWords } from "../words/ends.ts";
import { placeName } from "./assignment-name.ts";
import type { Order } from "./batch.ts";
import { isNew, slotOf } from "./new-row.ts";
import { placeOf, type RoleChoice } from "./offered-roles.ts";
import { appliedTo, differenceOf, isNoDifference, keysOf, type RoleDifference } from "./role-difference.ts";
import { isSameMoment } from "./same-moment.ts";

/** A change that needs no further input. */
export type SimpleChange = "activate" | "deactivate" | "delete";

/** A change to make to each of many assignments. */
export type BatchChange =
  | { readonly kind: SimpleChange }
  | { readonly kind: "add-roles" | "remove-roles"; readonly keys: ReadonlySet<string> }
  /** Without an end, they never end. */
  | { readonly kind: "set-end"; readonly end: Timestamp | undefined }
  | Gift;

/** Other roles for each of several people and places, also where there is no assignment yet. */
export type Gift = {
  readonly kind: "give";
  /** By the slots of the assignments. */
  readonly wishes: ReadonlyMap<string, RoleDifference>;
  /** When new assignments end. Others keep their ends. */
  readonly end?: Timestamp | undefined;
};

type RoleChange = Extract<BatchChange, { readonly kind: "add-roles" | "remove-roles" | "give" }>;

/** The assignments to change, and those to skip, with the reasons. */
export type Plan = {
  readonly sent: readonly Authorization[];
  readonly leftOut: readonly { readonly row: Authorization; readonly why: string }[];
};

/** The assignable roles by key, for each place by `placeKey`. Maps, because there can be very many of both. */
export type Offers = ReadonlyMap<string, ReadonlyMap<string, RoleChoice>>;

export function placeKey(row: Pick<Authorization, "project" | "organization">): string {
  const { projectId, organizationId } = placeOf(row);
  return JSON.stringify([projectId, organizationId]);
}

/**
 * Skips, before anything is sent, assignments that the caller may not change, that need no change, or whose roles
 * aren't offered.
 */
export function planOf(
  change: BatchChange,
  rows: readonly Authorization[],
  caller: GetCallerResponse | undefined,
  offers: Offers,
): Plan {
  const judged = rows.map((row) => ({ row, why: obstacleTo(change, row, caller, offers) }));
  return {
    sent: judged.filter(({ why }) => why === undefined).map(({ row }) => row),
    leftOut: judged.flatMap(({ row, why }) => (why === undefined ? [] : [{ row, why }])),
  };
}

/** What becomes of the assignment. */
export function orderOf(change: BatchChange, row: Authorization): Order {
  switch (change.kind) {
    case "activate":
      return { row, to: "active" };
    case "deactivate":
      return { row, to: "inactive" };
    case "delete":
      return { row, to: "deleted" };
    case "set-end":
      // An update says all roles.
      return { row, to: { roleKeys: [...keysOf(row)], end: change.end ?? "never" } };
    default: {
      const roleKeys = [...rolesAfter(change, row)];
      return { row, to: { roleKeys, ...(change.kind === "give" && isNew(row) && { end: change.end }) } };
    }
  }
}

/** The keys of the roles that the assignment will have. */
export function rolesAfter(change: RoleChange, row: Authorization): ReadonlySet<string> {
  return appliedTo(keysOf(row), wishFor(change, row));
}

function wishFor(change: RoleChange, row: Authorization): RoleDifference {
  if (change.kind === "give") return change.wishes.get(slotOf(row)) ?? { added: [], removed: [] };
  const keys = [...change.keys];
  return change.kind === "add-roles" ? { added: keys, removed: [] } : { added: [], removed: keys };
}

/** What a change is called. */
export function labelOf(change: Pick<BatchChange, "kind"> | Gift): string {
  const wishes = "wishes" in change ? [...change.wishes.values()] : [];
  return wishes.some(({ removed }) => removed.length > 0) ? words.changeRoles : words.labels[change.kind];
}

/** Whether there is nothing to do. */
export function isDone(change: BatchChange, row: Authorization): boolean {
  if (change.kind === "set-end") return isSameMoment(change.end, row.expirationDate);
  if (!isOfRoles(change)) {
    return change.kind !== "delete" && row.state === (change.kind === "activate" ? State.ACTIVE : State.INACTIVE);
  }
  return !isNew(row) && isNoDifference(differenceOf(keysOf(row), rolesAfter(change, row)));
}

function obstacleTo(
  change: BatchChange,
  row: Authorization,
  caller: GetCallerResponse | undefined,
  offers: Offers,
): string | undefined {
  const permission = change.kind === "delete" ? "user.grant.delete" : "user.grant.write";
  if (!may(caller, permission, row)) return words.mayNot[change.kind === "delete" ? "delete" : "change"];
  if (isDone(change, row)) return doneAlready(change);
  return isOfRoles(change) ? notOffered(wishFor(change, row).added, row, offers) : undefined;
}

function isOfRoles(change: BatchChange): change is RoleChange {
  return "keys" in change || change.kind === "give";
}

function doneAlready(change: BatchChange): string {
  if (change.kind === "set-end") return endWords.already;
  if (!isOfRoles(change)) return words.already(assignmentChangeWords.pastTense[change.kind]);
  return change.kind === "remove-roles" ? words.hasNone : words.hasThem;
}

function notOffered(keys: readonly string[], row: Authorization, offers: Offers): string | undefined {
  const offered = offers.get(placeKey(row));
  const held = keysOf(row);
  const missing = keys.filter((key) => !offered?.has(key) && !held.has(key));
  if (missing.length === 0) return undefined;
  return words.notOffered(placeName(row), missing.map((key) => nameIn(offers, key)).join(", "));
}

export function nameIn(offers: Offers, key: string): string {
  for (const roles of offers.values()) {
    const role = roles.get(key);
    if (role) return nameOf(role);
  }
  return key;
}
