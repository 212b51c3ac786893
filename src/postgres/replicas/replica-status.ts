import type { Miss, Unfit } from "./equal-snapshot.ts";

/**
 * Why a replica is left out for now. `starting`: it has not answered yet. `behind`: it has not replayed enough. `ahead`:
 * it shows a commit that the primary doesn't show, because that waits for a synchronous standby, or because commits
 * follow too closely on each other. `different`: it holds another database. `promoted`: it is not a replica any more.
 * `primary`: it is the primary itself. `timeline`: it follows another timeline than the primary's.
 */
export type LeftOut = "starting" | "unreachable" | "primary" | Miss | Unfit["reason"];

/**
 * Why the primary answered a read that was sent to a replica. `busy`: no connection became free. `failed`: the statement
 * failed, as in a conflict with recovery.
 */
export type Returned = LeftOut | "busy" | "failed";

export type ReplicaStatus = {
  /** Its address, without a password. */
  readonly name: string;
  /** Undefined while it is used. */
  readonly leftOut: LeftOut | undefined;
  /** How far it was behind the primary when it was last asked. Undefined until then, and for the primary itself. */
  readonly lagBytes?: number | undefined;
  /** How many reads it has answered. */
  readonly answered: number;
  readonly returned: ReadonlyMap<Returned, number>;
};
