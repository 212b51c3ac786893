import { TokenService } from "@authorization-service/client";
import { DirectoryService } from "@authorization-service/client/directory";
import { createClient } from "@connectrpc/connect";
import { connect, fail } from "./connect.ts";

const transport = connect();

const user = (id: string, organizationId: string) => ({
  change: {
    case: "user" as const,
    value: { id, organizationId, preferredLoginName: `${id}@${organizationId}.example`, displayName: id },
  },
});

await createClient(DirectoryService, transport)
  .applyChanges({
    reason: "the tutorial",
    changes: [
      { change: { case: "organization", value: { id: "larch", name: "Larch Bikes" } } },
      { change: { case: "organization", value: { id: "maple", name: "Maple Rentals" } } },
      { change: { case: "project", value: { id: "bike-shop", organizationId: "larch", name: "Bike shop" } } },
      { change: { case: "projectRole", value: { projectId: "bike-shop", key: "seller", displayName: "Seller" } } },
      { change: { case: "projectRole", value: { projectId: "bike-shop", key: "manager", displayName: "Manager" } } },
      // Maple may use the shop, too, but has no managers there.
      {
        change: {
          case: "projectGrant",
          value: { id: "bike-shop-to-maple", projectId: "bike-shop", organizationId: "maple", roleKeys: ["seller"] },
        },
      },
      ...[user("lena", "larch"), user("leo", "larch"), user("max", "maple"), user("mia", "maple")],
      // Lena and Max each look after their own company.
      administrator("lena", { case: "organizationId", value: "larch" }, "ORG_OWNER"),
      administrator("max", { case: "organizationId", value: "maple" }, "ORG_OWNER"),
      // The shop's backend sees who holds roles in the shop: at Larch, which owns it, and at Maple.
      user("bike-shop-backend", "larch"),
      administrator("bike-shop-backend", { case: "projectId", value: "bike-shop" }, "PROJECT_OWNER_VIEWER"),
      administrator(
        "bike-shop-backend",
        { case: "projectGrantId", value: "bike-shop-to-maple" },
        "PROJECT_GRANT_OWNER_VIEWER",
      ),
    ],
  })
  .catch(fail);

const tokens = createClient(TokenService, transport);
const variables = { LENA: "lena", MAX: "max", MIA: "mia", BACKEND: "bike-shop-backend" };
for (const [variable, userId] of Object.entries(variables)) {
  const { token } = await tokens.createToken({ userId, name: "tutorial", lifetime: { seconds: 86_400n } }).catch(fail);
  console.log(`export ${variable}=${token}`);
}

function administrator(
  userId: string,
  scope: { case: "organizationId" | "projectId" | "projectGrantId"; value: string },
  role: string,
) {
  return { change: { case: "administrator" as const, value: { userId, scope, roles: [role] } } };
}
