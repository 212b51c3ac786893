import { describe, expect, test } from "vitest";
import { assign } from "../support/assign.ts";
import { apply, entry } from "../support/changes.ts";
import { hold } from "../support/locks.ts";
import { expectRefusal, notFound } from "../support/refusals.ts";
import { serveTests } from "../support/server.ts";
import { user } from "../support/world.ts";

const tokens: Record<string, string> = {};

const server = await serveTests({ smallWorld: true });
// Eve has a hand in everything, so that there is something to be told.
await server.database.load(
  user("eve", "initech"),
  entry("eve", { instance: true }, "IAM_LOGIN_CLIENT"),
  entry("eve", { organizationId: "acme" }, "ORG_OWNER_VIEWER", "ORG_OWNER"),
  entry("eve", { organizationId: "globex" }, "ORG_USER_MANAGER"),
  entry("eve", { projectId: "shop" }, "PROJECT_OWNER_VIEWER"),
  entry("eve", { projectGrantId: "shop-to-globex" }, "PROJECT_GRANT_OWNER"),
);
for (const id of ["root", "eve"]) tokens[id] = await server.database.token(id);

const acme = { organization: { id: "acme", name: "Acme" } };
const shop = { project: { id: "shop", name: "Shop", organizationId: "acme" } };
const instance = { instance: true };

function explain(token = "", authorizationId: string, userId?: string) {
  const request = { authorizationId, ...(userId === undefined ? {} : { userId }) };
  return server.callService("authorization.v2.CallerService/ExplainAccess", request, { token });
}

async function explained(token: string | undefined, authorizationId: string, userId?: string): Promise<any> {
  const { status, body } = await explain(token, authorizationId, userId);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

describe("ExplainAccess to a caller about itself", () => {
  test("answers every entry that gives each permission there", async () => {
    expect(await explained(tokens.eve, "a1")).toEqual({
      user: {
        id: "eve",
        preferredLoginName: "eve@initech.example",
        displayName: "eve of initech",
        avatarUrl: "",
        organizationId: "initech",
      },
      sees: true,
      own: false,
      permissions: [
        {
          permission: "user.grant.read",
          held: true,
          sources: [
            { scope: instance, roles: ["IAM_LOGIN_CLIENT"] },
            { scope: acme, roles: ["ORG_OWNER", "ORG_OWNER_VIEWER"] },
            { scope: shop, roles: ["PROJECT_OWNER_VIEWER"] },
          ],
          moreSources: false,
          missing: [],
        },
        {
          permission: "user.grant.write",
          held: true,
          sources: [
            { scope: instance, roles: ["IAM_LOGIN_CLIENT"] },
            { scope: acme, roles: ["ORG_OWNER"] },
          ],
          moreSources: false,
          missing: [],
        },
        {
          permission: "user.grant.delete",
          held: true,
          sources: [{ scope: acme, roles: ["ORG_OWNER"] }],
          moreSources: false,
          missing: [],
        },
      ],
    });
  });

  test("does not count a right that is taken away while it is asked", async () => {
    const { id } = await assign(server.database);
    for (const [name, sees] of [
      ["roy", false],
      ["ray", true],
    ] as const) {
      const second = sees ? [entry(name, { projectId: "shop" }, "PROJECT_OWNER_VIEWER")] : [];
      const first = entry(name, { organizationId: "acme" }, "ORG_OWNER");
      await apply(server, tokens.root ?? "", user(name, "acme"), first, ...second);
      const token = await server.database.token(name);
      // The gate has no business with projects, so that it is through when the lock is waited for.
      const other = await hold(server.database, "lock table projects in access exclusive mode");
      await other.query("delete from administrators where user_id = $1 and organization_id = 'acme'", [name]);
      const asked = explain(token, id);
      await other.untilWaiting(1);
      await other.commit();
      if (sees) expect((await asked).body.permissions.map(({ held }: any) => held)).toEqual([true, false, false]);
      else expectRefusal(await asked, notFound);
    }
  });
});

describe("ExplainAccess refuses", () => {
  test.each([
    {},
    { authorizationId: "" },
    { authorizationId: "x".repeat(201) },
    { authorizationId: "a1", userId: "x".repeat(201) },
    { authorizationId: "a1", userId: "a\u0000b" },
    { authorizationId: ["a1"] },
    { id: "a1" },
  ])("%j as invalid_argument", async (request) => {
    const path = "authorization.v2.CallerService/ExplainAccess";
    const { status, body } = await server.callService(path, request, { token: tokens.root ?? "" });
    expect({ status, code: body.code }).toEqual({ status: 400, code: "invalid_argument" });
    expect((await server.callService(path, request)).status).toBe(401);
  });
});
