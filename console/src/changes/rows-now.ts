import { type Authorization, AuthorizationService } from "@authorization-service/client";
import { createClient, type Transport } from "@connectrpc/connect";
import { slotOf } from "./new-row.ts";
import { placeOf } from "./offered-roles.ts";

const mostIds = 1_000;

/** The rows as they are now: where there is an assignment of the same person in the same place, that one. */
export async function rowsNow(
  transport: Transport,
  rows: readonly Authorization[],
  signal?: AbortSignal,
): Promise<Authorization[]> {
  const client = createClient(AuthorizationService, transport);
  const there = new Map<string, Authorization>();
  for (const ofPlace of Map.groupBy(rows, (row) => JSON.stringify(placeOf(row))).values()) {
    const { projectId, organizationId } = placeOf(ofPlace[0] as Authorization);
    for (let start = 0; start < ofPlace.length; start += mostIds) {
      const ids = ofPlace.slice(start, start + mostIds).map(({ user }) => user?.id ?? "");
      const filters = [
        { filter: { case: "projectId" as const, value: { id: projectId } } },
        { filter: { case: "organizationId" as const, value: { id: organizationId } } },
        { filter: { case: "inUserIds" as const, value: { ids } } },
      ];
      const pagination = { limit: mostIds, skipTotal: true };
      const { authorizations } = await client.listAuthorizations(
        { filters, pagination },
        { ...(signal && { signal }) },
      );
      for (const one of authorizations) there.set(slotOf(one), one);
    }
  }
  return rows.map((row) => there.get(slotOf(row)) ?? row);
}
