import { AuthorizationService } from "@authorization-service/client";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";

/** The keys of the roles that the signed-in user holds in a project. */
export async function myRoles(baseUrl: string, token: string, userId: string, projectId: string): Promise<string[]> {
  const client = createClient(AuthorizationService, createConnectTransport({ baseUrl }));
  try {
    const { authorizations } = await client.listAuthorizations(
      {
        filters: [
          { filter: { case: "userId", value: { id: userId } } },
          { filter: { case: "projectId", value: { id: projectId } } },
        ],
      },
      { headers: { Authorization: `Bearer ${token}` } },
    );
    return authorizations.flatMap(({ roles }) => roles.map(({ key }) => key));
  } catch (error) {
    if (ConnectError.from(error).code === Code.Unauthenticated) return [];
    throw error;
  }
}
