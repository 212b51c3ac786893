import type { Authorization } from "@authorization-service/client";
import { type ComponentProps, useState } from "react";
import type { Gift } from "./batch-change.ts";
import type { BatchDialog } from "./batch-dialog.tsx";
import { LookedUpBatch } from "./looked-up-batch.tsx";
import { slotOf } from "./new-row.ts";
import { rowsNow } from "./rows-now.ts";

type Props = Pick<ComponentProps<typeof BatchDialog>, "rows" | "decided" | "onClose"> & { gift: Omit<Gift, "kind"> };

/** Gives people roles in places, after a look at which of the new assignments are there by now. */
export function GiveDialog({ rows: chosen, gift: wished, ...rest }: Props) {
  // What was decided on stays the same while the page behind the dialog changes.
  const [{ rows, gift }] = useState({ rows: chosen, gift: { ...wished, kind: "give" as const } });
  return (
    <LookedUpBatch
      kind="give"
      gift={gift}
      known={rows}
      look={(transport, signal) => rowsNow(transport, rows, signal)}
      {...rest}
    />
  );
}

/** The same roles for all of the rows. */
export function toAll(rows: readonly Authorization[], added: readonly string[]): Gift["wishes"] {
  return new Map(rows.map((row) => [slotOf(row), { added, removed: [] }]));
}
