import { describe, expect, test } from "vitest";
import { permissionsOfRole } from "../../src/authorization/permissions.ts";
import { entry, organization, project, projectGrant } from "../support/changes.ts";
import { fieldOnPage } from "../support/permissions-page.ts";
import { bodyOf, serveTests } from "../support/server.ts";
import { created } from "../support/tokens.ts";
import { user } from "../support/world.ts";

// What the history shows of a thing, look-ups show, too. Without assignments, callers see through their roles alone.

const organizations = ["acme", "globex", "initech", "outside"];
const scopes = {
  instance: [{ instance: true }],
  organizationId: organizations.slice(0, 3).map((organizationId) => ({ organizationId })),
  projectId: ["shop", "depot"].map((projectId) => ({ projectId })),
  projectGrantId: ["shop-to-globex", "depot-to-acme"].map((projectGrantId) => ({ projectGrantId })),
};

const callers = Object.keys(permissionsOfRole).flatMap((role) =>
  scopes[fieldOnPage(role)].map((scope) => ({ role, scope, id: `${role} ${Object.values(scope)[0]}` })),
);

const server = await serveTests();
await server.database.load(
  ...organizations.map((id) => organization(id)),
  ...organizations.map((id) => user(`user of ${id}`, id)),
  ...callers.map(({ id }) => user(id, "outside")),
  project("shop", "acme"),
  project("depot", "globex"),
  ...["shop", "depot"].map((projectId) => ({ projectRole: { projectId, key: `seller of ${projectId}` } })),
  projectGrant("shop-to-globex", "shop", "globex", "seller of shop"),
  projectGrant("shop-to-initech", "shop", "initech", "seller of shop"),
  projectGrant("depot-to-acme", "depot", "acme", "seller of depot"),
  ...callers.map(({ id, scope, role }) => entry(id, scope, role)),
);
for (const { id } of callers) await created(server, await server.database.token(id), { name: "own" });

async function everyPage(path: string, request: object, rows: string, token: string): Promise<any[]> {
  const all: any[] = [];
  for (let pageToken = ""; ; ) {
    const body = await bodyOf(server.callService(path, { ...request, pagination: { pageToken } }, { token }));
    all.push(...body[rows]);
    pageToken = body.pagination.nextPageToken;
    if (pageToken === "") return all;
  }
}

type Things = Record<"organization" | "user" | "project" | "projectRole" | "projectGrant" | "administrator", string[]>;

const textOfEntry = ({ userId, roles: _, ...scope }: any) => JSON.stringify([userId, scope]);

async function inHistory(token: string): Promise<Things & { token: string[] }> {
  const path = "directory.v1.DirectoryHistoryService/ListDirectoryEvents";
  const events = await everyPage(path, {}, "events", token);
  const of = (kind: string, textOf: (thing: any) => string) =>
    [...new Set(events.flatMap(({ after }) => (after?.[kind] ? [textOf(after[kind])] : [])))].sort();
  const byId = ({ id }: any) => id;
  return {
    organization: of("organization", byId),
    user: of("user", byId),
    project: of("project", byId),
    projectRole: of("projectRole", ({ key }) => key),
    projectGrant: of("projectGrant", byId),
    administrator: of("administrator", textOfEntry),
    token: of("token", ({ userId }) => userId),
  };
}

async function inLookUps(token: string): Promise<Things> {
  const list = (rpc: string, rows: string) => everyPage(`directory.v1.DirectoryService/${rpc}`, {}, rows, token);
  const byId = (things: any[]) => things.map(({ id }) => id).sort();
  const projects = await list("ListProjects", "projects");
  return {
    organization: byId(await list("ListOrganizations", "organizations")),
    user: byId(await list("ListUsers", "users")),
    project: byId(projects),
    projectRole: [...new Set(projects.flatMap(({ roles }) => roles.map(({ key }: any) => key)))].sort(),
    projectGrant: byId(projects.flatMap(({ grants }) => grants)),
    administrator: (await list("ListAdministrators", "administrators")).map(textOfEntry).sort(),
  };
}

describe("The history shows no more of the directory than look-ups do", () => {
  test.each(callers)("to $role on $scope", async ({ role, id }) => {
    const token = await server.database.token(id);
    const [history, lookUps] = [await inHistory(token), await inLookUps(token)];
    const { projectGrant, administrator, user, token: tokens, ...others } = history;
    // These are seen in the history by the same callers.
    expect({ projectGrant, administrator, user }).toEqual({
      projectGrant: lookUps.projectGrant,
      administrator: lookUps.administrator,
      user: lookUps.user,
    });
    for (const [kind, things] of Object.entries(others)) {
      expect(lookUps[kind as keyof Things], kind).toEqual(expect.arrayContaining(things));
    }
    expect(tokens).toEqual(role === "IAM_OWNER" ? callers.map(({ id }) => id).sort() : [id]);
  });

  test("and not every caller sees the same grants", async () => {
    const grants = async (role: string, scope: string) =>
      (await inHistory(await server.database.token(`${role} ${scope}`))).projectGrant;
    expect(await grants("ORG_OWNER", "acme")).toEqual(["depot-to-acme", "shop-to-globex", "shop-to-initech"]);
    expect(await grants("ORG_OWNER_VIEWER", "acme")).toEqual(["depot-to-acme"]);
    expect(await grants("ORG_USER_MANAGER", "acme")).toEqual(["depot-to-acme"]);
    expect(await grants("PROJECT_OWNER", "shop")).toEqual(["shop-to-globex", "shop-to-initech"]);
    expect(await grants("PROJECT_OWNER_GLOBAL", "shop")).toEqual([]);
    expect(await grants("PROJECT_OWNER_VIEWER", "shop")).toEqual([]);
    expect(await grants("PROJECT_GRANT_OWNER_VIEWER", "shop-to-globex")).toEqual(["shop-to-globex"]);
    expect(await grants("IAM_LOGIN_CLIENT", "true")).toHaveLength(3);
  });
});
