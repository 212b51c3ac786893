import { type Authorization, AuthorizationService } from "@authorization-service/client";
import { createClient, type Transport } from "@connectrpc/connect";
import { isNew, slotOf } from "./new-row.ts";
import { placeOf } from "./offered-roles.ts";

const mostIds = 1_000;

/** Where there is an assignment by now that a row was to create, that one; the others as they are. */
export async function rowsNow(
  transport: Transport,
  rows: readonly Authorization[],
  signal?: AbortSignal,
): Promise<Authorization[]> {
  const client = createClient(AuthorizationService, transport);
  const there = new Map<string, Authorization>();
  for (const ofPlace of Map.groupBy(rows.filter(isNew), (row) => JSON.stringify(placeOf(row))).values()) {
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
  return rows.map((row) => (isNew(row) && there.get(slotOf(row))) || row);
}
