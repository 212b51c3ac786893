import { describe, expect, test } from "vitest";
import { administrator } from "../support/assign.ts";
import { entry } from "../support/changes.ts";
import { bodyOf, serveSmallWorld } from "../support/server.ts";
import { person } from "../support/world.ts";

const { server, root } = await serveSmallWorld();
await server.database.load(
  entry("ann", { instance: true }, "IAM_OWNER_VIEWER"),
  entry("ann", { projectId: "shop" }, "PROJECT_OWNER"),
  entry("ann", { projectId: "depot" }, "PROJECT_OWNER", "PROJECT_OWNER_VIEWER_GLOBAL"),
  entry("ann", { organizationId: "initech" }, "ORG_OWNER"),
  entry("ann", { organizationId: "acme" }, "ORG_OWNER"),
  entry("ann", { projectGrantId: "shop-to-initech" }, "PROJECT_GRANT_OWNER"),
  entry("bob", { organizationId: "globex" }, "ORG_OWNER"),
  entry("bob", { projectGrantId: "shop-to-globex" }, "PROJECT_GRANT_OWNER_VIEWER"),
);

const inOrder = [
  { userId: "ann", instance: true, roles: ["IAM_OWNER_VIEWER"] },
  { userId: "ann", organizationId: "acme", roles: ["ORG_OWNER"] },
  { userId: "ann", organizationId: "initech", roles: ["ORG_OWNER"] },
  { userId: "ann", projectId: "depot", roles: ["PROJECT_OWNER", "PROJECT_OWNER_VIEWER_GLOBAL"] },
  { userId: "ann", projectId: "shop", roles: ["PROJECT_OWNER"] },
  { userId: "ann", projectGrantId: "shop-to-initech", roles: ["PROJECT_GRANT_OWNER"] },
  { userId: "bob", organizationId: "globex", roles: ["ORG_OWNER"] },
  { userId: "bob", projectGrantId: "shop-to-globex", roles: ["PROJECT_GRANT_OWNER_VIEWER"] },
  { userId: "root", instance: true, roles: ["IAM_OWNER"] },
];

function list(request: object, token = root) {
  return server.callDirectory("ListAdministrators", request, { token });
}

async function expectPage(request: object, administrators: object[], total = administrators.length, limit = 100) {
  const { status, body } = await list(request);
  const pagination = { totalResult: total, appliedLimit: limit, nextPageToken: expect.any(String) };
  expect({ status, body: { ...body, entries: [] } }).toEqual({
    status: 200,
    body: { pagination, administrators, entries: [] },
  });
  expect(body.entries.map(inShort)).toEqual(administrators.map(inShort));
}

/** An entry in either form, as one text. */
function inShort({ user, userId, scope, roles, ...at }: any): string {
  const [kind, value] = Object.entries<any>(scope ?? at)[0] ?? ["", ""];
  return [user?.id ?? userId, kind.replace(/Id$/, ""), value.id ?? value, ...roles.toSorted()].join(" ");
}

/** Those that a caller sees, in order. */
async function seenBy(token: string, request: object = {}): Promise<string[]> {
  const body = await bodyOf(list({ pagination: { asc: true }, ...request }, token));
  expect(body.pagination.totalResult).toBe(body.entries.length);
  expect(body.administrators.map(inShort)).toEqual(body.entries.map(inShort));
  return body.entries.map(inShort);
}

describe("ListAdministrators", () => {
  test("answers all entries by user, the instance before organizations, projects and grants, or the other way", async () => {
    await expectPage({ pagination: { asc: true } }, inOrder);
    await expectPage({}, inOrder.toReversed());
    await expectPage({ pagination: { asc: false } }, inOrder.toReversed());
  });

  test.each([{ instance: false }, { organizationId: "" }, { userId: "x".repeat(201) }, { user: "ann" }])(
    "refuses %j as invalid_argument",
    async (request) => {
      expect((await list(request)).body.code).toBe("invalid_argument");
    },
  );

  test("shows users and scopes with their names, and the roles sorted", async () => {
    const acme = { id: "acme", name: "Acme" };
    const globex = { id: "globex", name: "Globex" };
    const shop = { id: "shop", name: "Shop", organizationId: "acme" };
    const { body } = await list({ userId: "ann", pagination: { asc: true, limit: 2 } });
    expect(body.entries).toEqual([
      { user: person("ann", "acme"), scope: { instance: true }, roles: ["IAM_OWNER_VIEWER"] },
      { user: person("ann", "acme"), scope: { organization: acme }, roles: ["ORG_OWNER"] },
    ]);
    const [ofShop] = (await list({ projectId: "shop" })).body.entries;
    expect(ofShop.scope).toEqual({ project: shop });
    const [ofGrant] = (await list({ projectGrantId: "shop-to-globex" })).body.entries;
    expect(ofGrant).toEqual({
      user: person("bob", "globex"),
      scope: { projectGrant: { id: "shop-to-globex", project: shop, organization: globex } },
      roles: ["PROJECT_GRANT_OWNER_VIEWER"],
    });
  });

  test.each([
    ["nothing", undefined, []],
    ["the instance", { instance: true as const, roles: ["IAM_OWNER_VIEWER"] }, [0, 1, 2, 3, 4, 5, 6, 7, 8]],
    ["an organization with projects", { organizationId: "acme", roles: ["ORG_OWNER_VIEWER"] }, [1, 3, 4]],
    [
      "one whose projects' grants it may change",
      { organizationId: "acme", roles: ["ORG_PROJECT_PERMISSION_EDITOR"] },
      [1, 3, 4],
    ],
    ["an organization with a grant", { organizationId: "globex", roles: ["ORG_OWNER_VIEWER"] }, [6, 7]],
    ["another one", { organizationId: "initech", roles: ["ORG_USER_MANAGER"] }, [2, 5]],
    ["a project", { projectId: "shop", roles: ["PROJECT_OWNER"] }, [4]],
    ["a grant", { projectGrantId: "shop-to-globex", roles: ["PROJECT_GRANT_OWNER"] }, [7]],
    ["a project, by a role of tomorrow", { projectId: "shop", roles: ["PROJECT_OF_TOMORROW"] }, []],
  ] as const)("shows callers their own entries and those within what they may read: %s", async (_, its, places) => {
    const token = await administrator(server.database, its);
    const [{ body }] = [await server.callService("authorization.v2.CallerService/GetCaller", {}, { token })];
    const { id } = body.user;
    const own = its === undefined ? [] : [inShort({ userId: id, ...its })];
    const all = places.map((place) => inShort(inOrder[place]));
    expect(await seenBy(token)).toEqual([...all, ...own]);
    expect(await seenBy(token, { userId: id })).toEqual(own);
    expect(await seenBy(token, { userId: "ann" })).toEqual(all.filter((one) => one.startsWith("ann ")));
    expect(await seenBy(token, { role: "ORG_OWNER" })).toEqual(all.filter((one) => one.endsWith(" ORG_OWNER")));
    for (const scope of [
      ...[{ instance: true }, { organizationId: "acme" }, { organizationId: "globex" }, { projectId: "shop" }],
      ...[{ projectId: "depot" }, { projectGrantId: "shop-to-globex" }, { projectGrantId: "shop-to-initech" }],
    ]) {
      const inScope = new RegExp(` ${inShort({ userId: "", roles: [], ...scope }).trim()} `);
      expect(await seenBy(token, scope)).toEqual([...all, ...own].filter((one) => inScope.test(one)));
    }
    await server.database.query("delete from users where id = $1", [id]);
  });
});
