import { type Authorization, type GetCallerResponse, State } from "@authorization-service/client";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { may } from "../directory/rights.ts";
import { batchWords as words } from "../words/assignment-changes.ts";
import { placeName } from "./assignment-name.ts";
import type { Order } from "./batch.ts";
import { isNew, slotOf } from "./new-row.ts";
import { nameIn, type Offers, placeKey } from "./offered-roles.ts";
import { appliedTo, differenceOf, isNoDifference, keysOf, type RoleDifference } from "./role-difference.ts";
import { isSameMoment } from "./same-moment.ts";

/** A change that needs no further input. */
export type SimpleChange = "activate" | "deactivate" | "delete";

/** A change to make to each of many assignments. */
export type BatchChange =
  | { readonly kind: SimpleChange }
  /** Without an end, they never end. */
  | { readonly kind: "set-end"; readonly end: Timestamp | undefined }
  | Gift;

/** Other roles for each of several people and places. Roles are given also where there is no assignment yet. */
export type Gift = {
  readonly kind: "add-roles" | "remove-roles" | "give";
  /** By the slots of the assignments. */
  readonly wishes: ReadonlyMap<string, RoleDifference>;
  /** When new assignments end. Others keep their ends. */
  readonly end?: Timestamp | undefined;
};

/** A change that is still to be decided on, or roles to give. */
export type Begun = { readonly kind: SimpleChange | "set-end" | "add-roles" | "remove-roles" } | Gift;

/** The same wish for all of the rows. */
export function wishesFor(rows: readonly Authorization[], { added = [], removed = [] }: Partial<RoleDifference>) {
  return new Map(rows.map((row) => [slotOf(row), { added, removed }]));
}

/** The assignments to change, and those to skip, with the reasons. */
export type Plan = {
  readonly sent: readonly Authorization[];
  readonly leftOut: readonly { readonly row: Authorization; readonly why: string }[];
};

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
    default:
      return { row, to: { roleKeys: [...rolesAfter(change, row)], ...(isNew(row) && { end: change.end }) } };
  }
}

/** The keys of the roles that the assignment will have. */
export function rolesAfter(gift: Gift, row: Authorization): ReadonlySet<string> {
  const held = keysOf(row);
  const wish = gift.wishes.get(slotOf(row));
  return wish ? appliedTo(held, wish) : held;
}

/** Whether there is nothing to do. */
export function isDone(change: BatchChange, row: Authorization): boolean {
  if (change.kind === "set-end") return isSameMoment(change.end, row.expirationDate);
  if ("wishes" in change) return !isNew(row) && isNoDifference(differenceOf(keysOf(row), rolesAfter(change, row)));
  return change.kind !== "delete" && row.state === (change.kind === "activate" ? State.ACTIVE : State.INACTIVE);
}

function obstacleTo(
  change: BatchChange,
  row: Authorization,
  caller: GetCallerResponse | undefined,
  offers: Offers,
): string | undefined {
  const permission = change.kind === "delete" ? "user.grant.delete" : "user.grant.write";
  if (!may(caller, permission, row)) return words.mayNot[change.kind === "delete" ? "delete" : "change"];
  if (change.kind !== "delete" && isDone(change, row)) return words.isSo[change.kind];
  return "wishes" in change ? notOffered([...rolesAfter(change, row)], row, offers) : undefined;
}

function notOffered(keys: readonly string[], row: Authorization, offers: Offers): string | undefined {
  const offered = offers.get(placeKey(row));
  const held = keysOf(row);
  const missing = keys.filter((key) => !offered?.has(key) && !held.has(key));
  if (missing.length === 0) return undefined;
  return words.notOffered(placeName(row), missing.map((key) => nameIn(offers, key)).join(", "));
}
