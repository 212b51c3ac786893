import { AuthorizationHistoryService } from "@authorization-service/client";
import { createClient } from "@connectrpc/connect";
import { connect, fail } from "./connect.ts";

const { events } = await createClient(AuthorizationHistoryService, connect())
  .listAuthorizationEvents({
    filters: [{ filter: { case: "projectId", value: { id: "bike-shop" } } }],
    pagination: { limit: 10 },
  })
  .catch(fail);

for (const { actor, user, roles, roleKeysBefore } of events) {
  const after = roles.map(({ key }) => key);
  console.log(`${actor?.displayName} changed ${user?.displayName}: ${shown(roleKeysBefore)} -> ${shown(after)}`);
}

function shown(roleKeys: readonly string[]): string {
  return roleKeys.join(", ") || "no role";
}
