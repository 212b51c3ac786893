import { AuthorizationService, State } from "@authorization-service/client";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";

/** The keys of the roles that the signed-in user holds, in a project and an organization. */
export async function myRoles(
  baseUrl: string,
  token: string,
  at: { userId: string; projectId: string; organizationId: string },
): Promise<string[]> {
  const client = createClient(AuthorizationService, createConnectTransport({ baseUrl }));
  const { authorizations } = await client.listAuthorizations(
    {
      filters: [
        { filter: { case: "userId", value: { id: at.userId } } },
        { filter: { case: "projectId", value: { id: at.projectId } } },
        { filter: { case: "organizationId", value: { id: at.organizationId } } },
        { filter: { case: "state", value: { state: State.ACTIVE } } },
      ],
    },
    { headers: { Authorization: `Bearer ${token}` } },
  );
  // A user has at most one authorization for a project in an organization.
  return authorizations.flatMap(({ roles }) => roles.map(({ key }) => key));
}
