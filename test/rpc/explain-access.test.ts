import { describe, expect, test } from "vitest";
import { type AdministratorEntry, administrator, assign } from "../support/assign.ts";
import { apply, entry } from "../support/changes.ts";
import { hold } from "../support/locks.ts";
import { denied, expectRefusal, notFound, precondition } from "../support/refusals.ts";
import { bodyOf, serveTests } from "../support/server.ts";
import { authorization, person, user } from "../support/world.ts";

const tokens: Record<string, string> = {};

const server = await serveTests({ smallWorld: true });
const date = "2024-02-01T00:00:00Z";
// Eve has a hand in everything, and whoever sees an authorization of hers may know of her.
await server.database.load(
  ...["eve", "cousin", "far"].map((id) => user(id, "initech")),
  user("bare", "acme"),
  user("visitor", "globex"),
  entry("eve", { instance: true }, "IAM_LOGIN_CLIENT"),
  entry("eve", { organizationId: "acme" }, "ORG_OWNER_VIEWER", "ORG_OWNER"),
  entry("eve", { organizationId: "globex" }, "ORG_USER_MANAGER"),
  entry("eve", { projectId: "shop" }, "PROJECT_OWNER_VIEWER"),
  entry("eve", { projectGrantId: "shop-to-globex" }, "PROJECT_GRANT_OWNER"),
  entry("far", { organizationId: "initech" }, "ORG_OWNER"),
  authorization("eve-1", "eve", "shop", "acme", [], date),
  authorization("eve-2", "eve", "shop", "globex", [], date),
  authorization("visitor-1", "visitor", "depot", "acme", [], date),
  authorization("far-1", "far", "shop", "acme", [], date),
);
for (const id of ["root", "eve", "bob", "far"]) tokens[id] = await server.database.token(id);

type Scope = Omit<AdministratorEntry, "roles">;

const acme = { organization: { id: "acme", name: "Acme" } };
const shop = { project: { id: "shop", name: "Shop", organizationId: "acme" } };
const globex = { organization: { id: "globex", name: "Globex" } };
const shopToGlobex = { projectGrant: { id: "shop-to-globex", ...shop, ...globex } };
const instance = { instance: true };

function explain(token = "", authorizationId: string, userId?: string) {
  const request = { authorizationId, ...(userId === undefined ? {} : { userId }) };
  return server.callService("authorization.v2.CallerService/ExplainAccess", request, { token });
}

const explained = (...asked: Parameters<typeof explain>) => bodyOf(explain(...asked));

/** A token of somebody who has one entry and nothing else. */
function asker(scope: Scope, ...roles: string[]): Promise<string> {
  return administrator(server.database, { ...scope, roles });
}

describe("ExplainAccess to a caller about itself", () => {
  test("answers every entry that gives each permission there", async () => {
    expect(await explained(tokens.eve, "a1")).toEqual({
      user: person("eve", "initech"),
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
      const [asked] = await other.holdUp([() => explain(token, id)]);
      if (sees) expect(asked.body.permissions.map(({ held }: any) => held)).toEqual([true, false, false]);
      else expectRefusal(asked, notFound);
    }
  });
});

describe("ExplainAccess about another user", () => {
  test.each<[string, Scope, string, string, object[], boolean]>([
    ["the instance", { instance: true }, "IAM_OWNER_VIEWER", "a4", [instance, globex, shopToGlobex], false],
    ["its organization", { organizationId: "globex" }, "ORG_OWNER_VIEWER", "a4", [globex, shopToGlobex], true],
    ["its grant", { projectGrantId: "shop-to-globex" }, "PROJECT_GRANT_OWNER_VIEWER", "a4", [shopToGlobex], true],
    ["the owner", { organizationId: "acme" }, "ORG_OWNER_VIEWER", "a1", [acme, shop], true],
    ["its project", { projectId: "shop" }, "PROJECT_OWNER", "a1", [shop], true],
  ])(
    "lists to an asker with rights on %s what lies within, and says whether there is more",
    async (_, scope, role, id, expected, more) => {
      const { sees, own, permissions } = await explained(await asker(scope, role), id, "eve");
      expect({ sees, own }).toEqual({ sees: true, own: false });
      expect(permissions[0]).toMatchObject({ held: true, moreSources: more, missing: [] });
      expect(permissions[0].sources.map((source: any) => source.scope)).toEqual(expected);
    },
  );
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

  test("to explain others to a caller who sees it only as its own", async () => {
    for (const userId of ["ann", "eve", "no such user"]) {
      expectRefusal(await explain(tokens.bob, "a4", userId), denied("user.grant.read"));
    }
    // He is an administrator, but elsewhere.
    expectRefusal(await explain(tokens.far, "far-1", "eve"), denied("user.grant.read"));
  });

  const shopReader = [{ projectId: "shop" }, "PROJECT_OWNER_VIEWER"] as const;
  const acmeReader = [{ organizationId: "acme" }, "ORG_OWNER_VIEWER"] as const;

  test.each<[string, readonly [Scope, string], string, boolean]>([
    ["one that does not exist, to the instance's owner", [{ instance: true }, "IAM_OWNER"], "no such user", false],
    ["anybody, to whoever reads on the instance", [{ instance: true }, "IAM_OWNER_VIEWER"], "cousin", true],
    ["one of an organization where the asker reads", acmeReader, "bare", true],
    ["one of another organization", acmeReader, "cousin", false],
    ["one of another organization that has authorizations there, which it sees", acmeReader, "visitor", true],
    ["one of the project's organization, to whoever reads on the project alone", shopReader, "bare", false],
    ["one with an authorization it sees", shopReader, "ann", true],
    ["one with authorizations it does not see", shopReader, "bea", false],
    ["one that does not exist", shopReader, "no such user", false],
    ["anybody, to whoever writes anywhere", [{ projectId: "shop" }, "PROJECT_OWNER"], "cousin", true],
    ["one whose id is nearly the same", [{ projectId: "shop" }, "PROJECT_OWNER"], "Cousin", false],
  ])("to speak of users that the caller may not know of: %s", async (_, [scope, role], userId, isKnown) => {
    const answer = await explain(await asker(scope, role), "a1", userId);
    if (isKnown) expect([answer.status, answer.body.user.id]).toEqual([200, userId]);
    else expectRefusal(answer, precondition("USER_NOT_FOUND"));
  });

  test("a user it may not know of just as one that does not exist", async () => {
    const token = await asker(...shopReader);
    const [hidden, never] = [await explain(token, "a1", "cousin"), await explain(token, "a1", "no such user")];
    expect([hidden.status, hidden.body]).toEqual([never.status, never.body]);
  });
});
