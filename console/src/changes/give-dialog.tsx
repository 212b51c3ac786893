import type { Authorization } from "@authorization-service/client";
import { useTransport } from "@connectrpc/connect-query";
import { useQuery } from "@tanstack/react-query";
import { type ComponentProps, useState } from "react";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { batchWords as words } from "../words/assignment-changes.ts";
import { assignments } from "./assignment-name.ts";
import type { Gift } from "./batch-change.ts";
import { BatchDialog } from "./batch-dialog.tsx";
import { DialogFrame } from "./dialog-frame.tsx";
import { isNew, slotOf } from "./new-row.ts";
import { rowsNow } from "./rows-now.ts";

type Props = Pick<ComponentProps<typeof BatchDialog>, "rows" | "decided" | "onClose"> & { gift: Omit<Gift, "kind"> };

/** Gives people roles in places, after a look at which of the new assignments are there by now. */
export function GiveDialog({ rows: chosen, gift: wished, onClose, ...rest }: Props) {
  const transport = useTransport();
  // What was decided on stays the same while the page behind the dialog changes.
  const [{ rows, gift }] = useState({ rows: chosen, gift: { ...wished, kind: "give" as const } });
  const { data, error, refetch } = useQuery({
    queryKey: ["rows now", rows.filter(isNew).map(slotOf)],
    queryFn: async ({ signal }): Promise<Authorization[]> => [
      ...rows.filter((row) => !isNew(row)),
      ...(await rowsNow(transport, rows.filter(isNew), signal)),
    ],
    staleTime: "static",
    gcTime: 0,
  });
  if (data) return <BatchDialog kind="give" gift={gift} rows={data} onClose={onClose} {...rest} />;
  return (
    <DialogFrame
      title={words.titled(words.labels.give, assignments(rows.length))}
      onClose={() => onClose(rows, undefined)}
    >
      {error ? <FailureNotice error={error} onRetry={() => void refetch()} /> : <p role="status">{words.looking}</p>}
    </DialogFrame>
  );
}

/** The same roles for all of the rows. */
export function toAll(rows: readonly Authorization[], added: readonly string[]): Gift["wishes"] {
  return new Map(rows.map((row) => [slotOf(row), { added, removed: [] }]));
}
