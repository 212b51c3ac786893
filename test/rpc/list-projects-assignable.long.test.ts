import { afterAll, describe, expect, test } from "vitest";
import { callersOf, mixedWorld } from "../support/mixed-world.ts";
import { errorInfo, startTestServer } from "../support/server.ts";

const lines: any[] = mixedWorld();
/** One of each kind: others of these roles permit the same. */
const callers = callersOf(lines).filter((id) => !/(_GLOBAL|_EDITOR|_MANAGER)$/.test(id));
const organizations = lines.flatMap((line) => ("organization" in line ? [line.organization.id as string] : []));
const projects = lines.flatMap((line) => ("project" in line ? [line.project.id as string] : []));
/** Somebody who has nothing yet, for whom everything can be created. */
const newcomer = { id: "newcomer", organizationId: "zeta", preferredLoginName: "n", displayName: "", avatarUrl: "" };

const tokens = new Map<string, string>();

const server = await startTestServer();
await server.database.load(...lines, { user: newcomer });
for (const caller of callers) tokens.set(caller, await server.database.token(caller));
afterAll(() => server.stop());

describe("ListProjects with assignable", () => {
  test.each(callers)(
    "%s can assign every role listed, in every place listed, and nothing anywhere else",
    async (as) => {
      const rows = await listAssignable(as);
      const listed = new Set<string>();
      for (const { id, assignableIn, roles, totalRoles } of rows) {
        listed.add(JSON.stringify([id, assignableIn.id]));
        const keys = roles.map(({ key }: { key: string }) => key);
        expect(totalRoles).toBe(keys.length);
        expect(await create(as, id, assignableIn.id, [...keys, "beyond"]), "with one key more").toBe("ROLE_NOT_FOUND");
        for (const key of notAmong(keys, id)) {
          expect(await create(as, id, assignableIn.id, [key]), `with ${key}`).toBe("ROLE_NOT_FOUND");
        }
        expect(await create(as, id, assignableIn.id, keys)).toBe("created");
      }
      expect(listed.size, "each place once").toBe(rows.length);
      for (const projectId of projects) {
        for (const organizationId of organizations) {
          if (listed.has(JSON.stringify([projectId, organizationId]))) continue;
          const outcome = await create(as, projectId, organizationId, []);
          expect(["PERMISSION_DENIED", "PROJECT_NOT_GRANTED"], `${projectId} in ${organizationId}`).toContain(outcome);
        }
      }
    },
  );

  test("is not empty for callers who may write in some scope, and empty for all others", async () => {
    const counts = await Promise.all(callers.map(async (as) => [as, (await listAssignable(as)).length] as const));
    expect(Object.fromEntries(counts)).toMatchObject({
      ...{ IAM_OWNER: 15, IAM_LOGIN_CLIENT: 15, IAM_OWNER_VIEWER: 0 },
      ...{ ORG_OWNER_VIEWER: 0, PROJECT_OWNER: 1, PROJECT_OWNER_VIEWER: 0 },
      ...{ PROJECT_GRANT_OWNER: 1, PROJECT_GRANT_OWNER_VIEWER: 0, plain: 0, without: 0 },
    });
  });
});

async function listAssignable(as: string): Promise<any[]> {
  const request = { assignable: true, pagination: { limit: 1_000 } };
  const { body } = await server.callDirectory("ListProjects", request, { token: tokens.get(as) ?? "" });
  return body.projects;
}

/** Takes away again what was created. */
async function create(as: string, projectId: string, organizationId: string, roleKeys: string[]): Promise<string> {
  const request = { userId: newcomer.id, projectId, organizationId, roleKeys };
  const answer = await server.call("CreateAuthorization", request, { token: tokens.get(as) ?? "" });
  if (answer.status !== 200) return errorInfo(answer)?.reason ?? "no reason";
  await server.database.query("delete from authorizations where id = $1", [answer.body.id]);
  return "created";
}

/** Roles of the project that are not allowed in that place. */
function notAmong(keys: readonly string[], projectId: string): string[] {
  const roles = lines.flatMap((line) => ("projectRole" in line ? [line.projectRole] : []));
  return roles.filter((role) => role.projectId === projectId && !keys.includes(role.key)).map(({ key }) => key);
}
