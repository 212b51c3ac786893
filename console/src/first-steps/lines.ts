/** The place whose assignments the lines ask for. */
export type Asked = { readonly baseUrl: string; readonly projectId: string; readonly organizationId: string };

/** A command for a shell. The token stays in the variable TOKEN. */
export function curlLines({ baseUrl, projectId, organizationId }: Asked): string {
  const filters = [
    { projectId: { id: projectId } },
    { organizationId: { id: organizationId } },
    { state: { state: "STATE_ACTIVE" } },
  ];
  return `curl -s ${quoted(`${baseUrl}/service.authorization.v2.AuthorizationService/ListAuthorizations`)} \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "Connect-Protocol-Version: 1" \\
  -H "Content-Type: application/json" \\
  -d ${quoted(JSON.stringify({ filters }))}`;
}

export const packages = "@authorization-service/client @connectrpc/connect @connectrpc/connect-node";

/** A module for Node. */
export function typescriptLines({ baseUrl, projectId, organizationId }: Asked): string {
  return `import { AuthorizationService, State } from "@authorization-service/client";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";

const transport = createConnectTransport({ baseUrl: ${JSON.stringify(baseUrl)}, httpVersion: "1.1" });
const client = createClient(AuthorizationService, transport);
const { authorizations } = await client.listAuthorizations(
  {
    filters: [
      { filter: { case: "projectId", value: { id: ${JSON.stringify(projectId)} } } },
      { filter: { case: "organizationId", value: { id: ${JSON.stringify(organizationId)} } } },
      { filter: { case: "state", value: { state: State.ACTIVE } } },
    ],
  },
  { headers: { Authorization: \`Bearer \${process.env.TOKEN}\` } },
);
for (const { user, roles } of authorizations) {
  console.log(user?.displayName, roles.map(({ key }) => key).join(", "));
}`;
}

/** For a POSIX shell: ids may contain any character. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
