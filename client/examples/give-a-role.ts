// Gives a user a role in a project: node give-a-role.ts divya.rao@acme.example Shop seller

import { AuthorizationService, ErrorInfoSchema, TextFilterMethod } from "@authorization-service/client";
import { DirectoryService } from "@authorization-service/client/directory";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";

const baseUrl = process.env.BASE_URL ?? "http://127.0.0.1:8080";
const transport = createConnectTransport({ baseUrl, httpVersion: "1.1" });
const directory = createClient(DirectoryService, transport);
const assignments = createClient(AuthorizationService, transport);
const options = { headers: { Authorization: `Bearer ${process.env.TOKEN}` }, timeoutMs: 5_000 };
const method = TextFilterMethod.EQUALS;

try {
  const [login = "", projectName = "", roleKey = ""] = process.argv.slice(2);
  const roleKeys = await giveRole(login, projectName, roleKey);
  console.log(`${login} is now ${roleKeys.sort().join(", ")} in ${projectName}.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** Resolves to the keys of all roles that the user has in the project then. */
async function giveRole(login: string, projectName: string, roleKey: string): Promise<string[]> {
  const { users } = await directory.listUsers(
    { filters: [{ filter: { case: "preferredLoginName", value: { text: login, method } } }] },
    options,
  );
  const [user, another] = users;
  if (user === undefined) throw new Error(`No user has the login name ${login}.`);
  // Anyone who may create users can use the login name of someone else.
  if (another !== undefined) throw new Error(`Several users have the login name ${login}.`);

  // A project can be assigned in its own organization and in those it is granted to. This program takes the user's.
  const { projects } = await directory.listProjects(
    {
      assignable: true,
      filters: [
        { filter: { case: "name", value: { text: projectName, method } } },
        { filter: { case: "inOrganizationId", value: { id: user.organizationId } } },
      ],
    },
    options,
  );
  const [project] = projects;
  if (project === undefined) {
    throw new Error(`You can't assign a project ${projectName} in the organization of ${login}.`);
  }
  const wanted = { userId: user.id, projectId: project.id, organizationId: user.organizationId };

  try {
    await assignments.createAuthorization({ ...wanted, roleKeys: [roleKey] }, options);
    return [roleKey];
  } catch (error) {
    const { id } = ConnectError.from(error, Code.Internal).findDetails(ErrorInfoSchema)[0]?.metadata ?? {};
    if (id === undefined) throw error;
    // A user has one assignment for a project in an organization, and an update replaces its roles.
    const { authorizations } = await assignments.listAuthorizations(
      { filters: [{ filter: { case: "authorizationIds", value: { ids: [id] } } }] },
      options,
    );
    const [there] = authorizations;
    const keys = [...new Set([...(there?.roles ?? []).map(({ key }) => key), roleKey])];
    await assignments.updateAuthorization({ id, roleKeys: keys, ifUnchangedSince: there?.changeDate }, options);
    return keys;
  }
}
