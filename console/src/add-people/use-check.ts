import { DirectoryService } from "@authorization-service/client/directory";
import { type ConnectError, createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useQuery } from "@tanstack/react-query";
import { ofDryRun } from "../directory-changes/use-request.ts";
import { type Checked, check } from "./check.ts";
import type { Line } from "./lines.ts";

/** What the service says about the lines that have no problem yet. */
export function useCheck(organizationId: string, lines: readonly Line[]) {
  const transport = useTransport();
  const asked = lines.filter(({ problem }) => problem === undefined);
  return useQuery<Checked, ConnectError>({
    queryKey: ["people to add", organizationId, asked.map(({ number, person }) => [number, ...Object.values(person)])],
    queryFn: ({ signal }) => check(createClient(DirectoryService, transport), organizationId, asked, signal),
    enabled: asked.length > 0,
    structuralSharing: false,
    // Looking at another window must not ask for a dry run of all people again. Sending them does.
    refetchOnWindowFocus: false,
    gcTime: 0,
    meta: ofDryRun,
  });
}
