import type { AffectedAuthorizations, Thing } from "./outcome.ts";

/** What an import would do. */
export type Preview = {
  /** How many changes there are. */
  readonly changes: number;
  /** The first differences: by kind, each after those it refers to, then by id. */
  readonly differences: readonly Difference[];
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** How many assignments follow, by project and organization. */
  readonly authorizations: readonly AffectedAuthorizations[];
};

/** Something that is added, changed or removed. */
export type Difference = {
  readonly kind: Thing["kind"] | "token";
  /** Whether it is not named itself, but follows from other changes. */
  readonly follows: boolean;
  readonly before: Thing["image"] | undefined;
  readonly after: Thing["image"] | undefined;
};
