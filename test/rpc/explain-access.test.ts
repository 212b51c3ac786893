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
for (const id of ["root", "ann", "bob", "eve"]) tokens[id] = await server.database.token(id);

const acme = { organization: { id: "acme", name: "Acme" } };
const globex = { organization: { id: "globex", name: "Globex" } };
const shop = { project: { id: "shop", name: "Shop", organizationId: "acme" } };
const shopToGlobex = { projectGrant: { id: "shop-to-globex", ...shop, ...globex } };
const instance = { instance: true };

const writers = {
  instance: ["IAM_LOGIN_CLIENT", "IAM_ORG_MANAGER", "IAM_OWNER", "IAM_USER_MANAGER"],
  organization: ["ORG_OWNER", "ORG_PROJECT_PERMISSION_EDITOR", "ORG_USER_MANAGER", "ORG_USER_PERMISSION_EDITOR"],
  project: ["PROJECT_OWNER", "PROJECT_OWNER_GLOBAL"],
  projectGrant: ["PROJECT_GRANT_OWNER"],
};
const deleters = { ...writers, instance: ["IAM_ORG_MANAGER", "IAM_OWNER", "IAM_USER_MANAGER"] };

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

  test("answers what is missing, in every scope that would do, when it is only its own", async () => {
    const { user: who, ...rest } = await explained(tokens.bob, "a4");
    const missing = (roles: typeof writers, viewers: Partial<typeof writers> = {}) =>
      [
        { scope: instance, roles: [...roles.instance, ...(viewers.instance ?? [])] },
        { scope: globex, roles: [...roles.organization, ...(viewers.organization ?? [])] },
        { scope: shopToGlobex, roles: [...roles.projectGrant, ...(viewers.projectGrant ?? [])] },
      ].map(({ scope, roles: all }) => ({ scope, roles: all.toSorted() }));
    const none = { held: false, sources: [], moreSources: false };
    const viewers = {
      instance: ["IAM_OWNER_VIEWER"],
      organization: ["ORG_OWNER_VIEWER"],
      projectGrant: ["PROJECT_GRANT_OWNER_VIEWER"],
    };
    expect(who.id).toBe("bob");
    expect(rest).toEqual({
      sees: true,
      own: true,
      permissions: [
        { permission: "user.grant.read", ...none, missing: missing(writers, viewers) },
        { permission: "user.grant.write", ...none, missing: missing(writers) },
        { permission: "user.grant.delete", ...none, missing: missing(deleters) },
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

  test("refuses a user that is removed while it asks just as one that is gone", async () => {
    await apply(server, tokens.root ?? "", user("pia", "acme"), entry("pia", { organizationId: "acme" }, "ORG_OWNER"));
    const token = await server.database.token("pia");
    const other = await hold(server.database, "lock table projects in access exclusive mode");
    await other.query("delete from users where id = 'pia'");
    const asked = explain(token, "a1");
    await other.untilWaiting(1);
    await other.commit();
    expectRefusal(await asked, { status: 401, code: "unauthenticated", reason: "UNAUTHENTICATED" });
  });
});

describe("ExplainAccess refuses", () => {
  test("what the caller does not see, what was removed and what never was alike, no matter who it is about", async () => {
    const { id: gone } = await assign(server.database);
    expect((await server.call("DeleteAuthorization", { id: gone }, { token: tokens.root ?? "" })).status).toBe(200);
    const everybody = [undefined, "", "bob", "ann", "eve", "no such user", "\u{1f600}".repeat(200)];
    for (const userId of everybody) {
      const [never, ...others] = [
        await explain(tokens.bob, "never", userId),
        await explain(tokens.bob, gone, userId),
        await explain(tokens.bob, "a1", userId),
        await explain(tokens.root, gone, userId),
      ];
      expectRefusal(never ?? expect.unreachable(), notFound);
      for (const other of others) expect([other.status, other.body]).toEqual([never?.status, never?.body]);
    }
  });

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
