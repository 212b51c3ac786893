import { AuthorizationService } from "@authorization-service/client";
import { createClient, type Transport } from "@connectrpc/connect";
import { connect, fail } from "./connect.ts";

/** Gives a user a role in the shop, at a company. */
export async function give(transport: Transport, userId: string, organizationId: string, role: string): Promise<void> {
  const assignments = createClient(AuthorizationService, transport);
  await assignments.createAuthorization({ userId, projectId: "bike-shop", organizationId, roleKeys: [role] });
}

/** Takes away all roles that a user has in the shop, at a company. */
export async function take(transport: Transport, userId: string, organizationId: string): Promise<void> {
  const assignments = createClient(AuthorizationService, transport);
  const { authorizations } = await assignments.listAuthorizations({
    filters: [
      { filter: { case: "userId", value: { id: userId } } },
      { filter: { case: "projectId", value: { id: "bike-shop" } } },
      { filter: { case: "organizationId", value: { id: organizationId } } },
    ],
  });
  for (const { id } of authorizations) await assignments.deleteAuthorization({ id });
}

if (import.meta.main) {
  const [verb, userId = "", organizationId = "", role = ""] = process.argv.slice(2);
  if (verb === "give") {
    await give(connect(), userId, organizationId, role).catch(fail);
    console.log(`${userId} is now ${role} at ${organizationId}`);
  } else {
    await take(connect(), userId, organizationId).catch(fail);
    console.log(`${userId} has no roles at ${organizationId} now`);
  }
}
