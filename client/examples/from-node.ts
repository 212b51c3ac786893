import { AuthorizationService, State } from "@authorization-service/client";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";

const baseUrl = process.env.BASE_URL ?? "http://127.0.0.1:8080";
const client = createClient(AuthorizationService, createConnectTransport({ baseUrl, httpVersion: "1.1" }));
const filters = [
  { filter: { case: "projectId" as const, value: { id: "shop" } } },
  { filter: { case: "state" as const, value: { state: State.ACTIVE } } },
];
const options = { headers: { Authorization: `Bearer ${process.env.TOKEN}` }, timeoutMs: 2_000 };
const listed = client.listAuthorizations({ filters, pagination: { limit: 10 } }, options);
const { pagination, authorizations } = await listed.catch((error) => {
  console.error(error.message);
  process.exit(1);
});
console.log(`${pagination?.totalResult} assignments in the Shop, the newest of them:`);
for (const { user, organization, roles } of authorizations) {
  console.log(`${user?.displayName} at ${organization?.name}: ${roles.map((role) => role.key).join(", ")}`);
}
