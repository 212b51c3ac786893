import type { Upsert } from "./change.ts";

/** What a request does, or what it would do. It doesn't depend on the time, so a dry run and the real run answer the same. */
export type ChangeAnswer = {
  /** One for each change, in their order. */
  readonly outcomes: readonly Outcome[];
  /**
   * How many assignments follow the changes, by project and organization. Only those that no change names, and that the
   * caller sees with the rights from before the changes.
   */
  readonly authorizations: readonly AffectedAuthorizations[];
  /**
   * Whether tokens that removed users made for users elsewhere could stay, because the caller may not remove those users. It
   * depends only on the changes and the caller's rights: whether there are any such tokens is none of the caller's business.
   */
  readonly tokensMayStay: boolean;
};

/** What a change does to the thing that it names. */
export type Outcome = {
  readonly effect: "none" | "created" | "changed" | "removed";
  /** Of a changed thing: the JSON names of the fields that differ, sorted. */
  readonly changedFields: readonly string[];
  /** Undefined if there was no such thing, or the request removes it together with another thing and adds it again. */
  readonly before: Thing | undefined;
  /** Undefined if it is removed. An assignment has only the dates that don't depend on the time of the request. */
  readonly after: Thing | undefined;
};

/** A thing, and its message in service.directory.v1 as JSON without empty fields. */
export type Thing = { readonly kind: Upsert["kind"]; readonly image: Readonly<Record<string, unknown>> };

export type AffectedAuthorizations = {
  readonly projectId: string;
  readonly organizationId: string;
  readonly changed: number;
  readonly removed: number;
};
