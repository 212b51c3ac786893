import type { Measured } from "./measure.ts";
import type { Recovery } from "./recovery.ts";
import type { TableSize } from "./sizes.ts";

/** Everything that was measured in a world of one size. */
export type Result = {
  readonly rows: number;
  readonly machine: string;
  readonly commit: string;
  /** How long the world took, in seconds. */
  readonly madeIn: number;
  readonly sizes: readonly TableSize[];
  readonly onPrimary: readonly Measured[];
  /** With one replica; empty if the disk had no room for it. */
  readonly replicated: readonly Measured[];
  /** Microseconds. Finding a snapshot is measured on the replica. */
  readonly costs: { readonly question: number; readonly snapshot?: number; readonly flush?: number };
  readonly recovery: Recovery;
};
