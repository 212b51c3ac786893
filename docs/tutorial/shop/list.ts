import { AuthorizationService } from "@authorization-service/client";
import { createClient } from "@connectrpc/connect";
import { connect, fail } from "./connect.ts";

const { pagination, authorizations } = await createClient(AuthorizationService, connect())
  .listAuthorizations({
    filters: [{ filter: { case: "projectId", value: { id: "bike-shop" } } }],
    pagination: { limit: 10, asc: true },
  })
  .catch(fail);

console.log(`${pagination?.totalResult} in the shop`);
for (const { user, organization, roles } of authorizations) {
  console.log(`${user?.displayName} at ${organization?.name}: ${roles.map(({ key }) => key).join(", ")}`);
}
