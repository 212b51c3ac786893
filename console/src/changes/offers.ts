import type { Authorization } from "@authorization-service/client";
import { DirectoryService } from "@authorization-service/client/directory";
import { createClient, type Transport } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { batchWords } from "../words/assignment-changes.ts";
import { type BatchChange, type Offers, placeKey } from "./batch-change.ts";
import { assignableIn, placeOf, type RoleChoice } from "./offered-roles.ts";

const mostIds = 1_000;

/** The roles that can be assigned in the places of the rows. Asks when the dialog opens, but not while it is open. */
export function useOffers(rows: readonly Authorization[], isNeeded: boolean) {
  const transport = useTransport();
  const places = useMemo(() => [...new Set(rows.map(placeKey))].toSorted(), [rows]);
  return useQuery({
    queryKey: ["offers", places],
    queryFn: ({ signal }) => offersFor(transport, rows, signal),
    enabled: isNeeded,
    staleTime: "static",
    gcTime: 0,
  });
}

/** Asks for one organization at a time, because a project may be granted to very many. */
export async function offersFor(
  transport: Transport,
  rows: readonly Authorization[],
  signal: AbortSignal,
): Promise<Offers> {
  const client = createClient(DirectoryService, transport);
  const offers = new Map<string, ReadonlyMap<string, RoleChoice>>();
  for (const [organizationId, projectIds] of projectsByOrganization(rows)) {
    for (let start = 0; start < projectIds.length; start += mostIds) {
      const asked = assignableIn(projectIds.slice(start, start + mostIds), organizationId);
      for (let pageToken: string | undefined = ""; pageToken !== undefined; ) {
        const answer = await client.listProjects({ ...asked, pagination: { pageToken, skipTotal: true } }, { signal });
        for (const project of answer.projects) {
          const roles = new Map(project.roles.map((role) => [role.key, role]));
          offers.set(JSON.stringify([project.id, organizationId]), roles);
        }
        pageToken = answer.pagination?.nextPageToken || undefined;
      }
    }
  }
  return offers;
}

function projectsByOrganization(rows: readonly Authorization[]): ReadonlyMap<string, readonly string[]> {
  const projects = new Map<string, Set<string>>();
  for (const row of rows) {
    const { projectId, organizationId } = placeOf(row);
    projects.set(organizationId, (projects.get(organizationId) ?? new Set()).add(projectId));
  }
  return new Map([...projects].map(([organizationId, ids]) => [organizationId, [...ids].toSorted()]));
}

/** The roles to pick from: to add, those offered in any of the places; to remove, those held in any of the rows. */
export function batchChoices(kind: BatchChange["kind"], rows: readonly Authorization[], offers: Offers): RoleChoice[] {
  const roles = new Map<string, { role: RoleChoice; count: number }>();
  const count = (role: RoleChoice, times: number) =>
    roles.set(role.key, { role, count: (roles.get(role.key)?.count ?? 0) + times });
  if (kind === "add-roles") {
    // By place, so ten thousand rows in a place with a thousand roles need only one look-up.
    for (const [place, ofPlace] of Map.groupBy(rows, placeKey)) {
      for (const role of offers.get(place)?.values() ?? []) count(role, ofPlace.length);
    }
  } else {
    for (const role of rows.flatMap((row) => row.roles)) count(role, 1);
  }
  const verb = kind === "add-roles" ? batchWords.offeredFor : batchWords.heldIn;
  return [...roles.values()].map(({ role, count }) => ({
    ...role,
    note: count === rows.length ? batchWords.all(verb) : batchWords.some(verb, count, rows.length),
  }));
}
