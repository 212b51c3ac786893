import type { Authorization } from "@authorization-service/client";
import type { Transport } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useQuery } from "@tanstack/react-query";
import { type ComponentProps, useId } from "react";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { batchWords as words } from "../words/assignment-changes.ts";
import { assignments } from "./assignment-name.ts";
import { labelOf } from "./batch-change.ts";
import { BatchDialog } from "./batch-dialog.tsx";
import { DialogFrame } from "./dialog-frame.tsx";

type Props = Omit<ComponentProps<typeof BatchDialog>, "rows"> & {
  /** What is known of the assignments before. */
  known?: readonly Authorization[];
  look: (transport: Transport, signal: AbortSignal) => Promise<readonly Authorization[]>;
};

/** Changes many assignments, which it looks up first. */
export function LookedUpBatch({ known, look, ...props }: Props) {
  const transport = useTransport();
  const { data, error, refetch } = useQuery({
    queryKey: ["batch", useId()],
    queryFn: ({ signal }) => look(transport, signal),
    staleTime: "static",
    gcTime: 0,
  });
  const label = labelOf(props.gift ?? props);
  if (data) return <BatchDialog {...props} rows={data} />;
  return (
    <DialogFrame
      title={known ? words.titled(label, assignments(known.length)) : label}
      onClose={() => props.onClose(known ?? [], undefined)}
    >
      {error ? <FailureNotice error={error} onRetry={() => void refetch()} /> : <p role="status">{words.looking}</p>}
    </DialogFrame>
  );
}
