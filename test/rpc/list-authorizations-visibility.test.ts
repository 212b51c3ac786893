import { describe, expect, test } from "vitest";
import { fieldOnPage, rolesOnPage } from "../support/permissions-page.ts";
import { serveTests } from "../support/server.ts";
import { authorization, user } from "../support/world.ts";

const server = await serveTests({ smallWorld: true });

const all = ["a1", "a2", "a3", "a4", "a5", "a6"];

const scopes = {
  instance: [{ instance: true, ids: all }],
  organizationId: [
    { organizationId: "acme", ids: ["a1", "a2", "a3"] },
    { organizationId: "globex", ids: ["a4", "a5"] },
    { organizationId: "initech", ids: ["a6"] },
  ],
  projectId: [
    { projectId: "shop", ids: ["a1", "a2"] },
    { projectId: "depot", ids: ["a3"] },
  ],
  projectGrantId: [
    { projectGrantId: "shop-to-globex", ids: ["a4", "a5"] },
    { projectGrantId: "shop-to-initech", ids: ["a6"] },
  ],
};

/** What an entry of each role lets a user see that has nothing of its own. */
const seenByRole = [...rolesOnPage].flatMap(([role, permissions]) =>
  scopes[fieldOnPage(role)].map(({ ids, ...scope }, index) => {
    const seen = permissions.includes("user.grant.read") ? ids : [];
    return { role, scope, at: JSON.stringify(scope), userId: `only-${role}-${index}`, seen };
  }),
);
await server.database.load(...seenByRole.flatMap(({ userId, scope, role }) => withEntries(userId, [scope, role])));

describe("ListAuthorizations", () => {
  test.each(seenByRole)("shows an administrator with $role on $at what that scope holds", async ({ userId, seen }) => {
    expect(await idsSeen(await server.database.token(userId))).toEqual(seen);
  });

  test.each([
    ["ann", ["a1"]],
    ["adam", ["a2", "a3"]],
    ["bob", ["a4", "a6"]],
    ["bea", ["a5"]],
    ["nobody", []],
  ])("shows %s, who holds no user.grant.read, its own and no error", async (userId, ids) => {
    const token = await server.database.token(userId);
    expect(await idsSeen(token)).toEqual(ids);
  });

  test("shows what several entries hold together, each authorization once", async () => {
    const token = await administrator(
      "several",
      [{ organizationId: "initech" }, "ORG_OWNER_VIEWER"],
      [{ organizationId: "globex" }, "ORG_USER_MANAGER"],
      [{ projectGrantId: "shop-to-globex" }, "PROJECT_GRANT_OWNER"],
      [{ projectId: "depot" }, "PROJECT_OWNER"],
    );
    expect(await idsSeen(token)).toEqual(["a3", "a4", "a5", "a6"]);
  });

  test("shows an administrator its own as well, wherever it is", async () => {
    const token = await administrator("own", [{ projectId: "shop" }, "PROJECT_OWNER_VIEWER"]);
    await server.database.load(authorization("own", "own", "shop", "globex", [], "2024-03-01T00:00:00Z"));
    expect(await idsSeen(token, { inUserIds: { ids: ["own", "ann", "adam", "bob", "bea"] } })).toEqual([
      "a1",
      "a2",
      "own",
    ]);
  });

  test("shows the owner's administrators nothing that a granted organization assigns, nor the other way round", async () => {
    const owner = await administrator(
      "owner-side",
      [{ organizationId: "acme" }, "ORG_OWNER"],
      [{ projectId: "shop" }, "PROJECT_OWNER"],
    );
    const granted = await administrator("granted-side", [{ organizationId: "globex" }, "ORG_OWNER"]);
    const ofShop = { projectId: { id: "shop" } };
    expect(await idsSeen(owner, ofShop, { inUserIds: { ids: ["ann", "adam", "bob", "bea"] } })).toEqual(["a1", "a2"]);
    expect(await idsSeen(granted, ofShop, { inUserIds: { ids: ["ann", "adam", "bob", "bea"] } })).toEqual(["a4", "a5"]);
  });

  test("makes no difference between hidden things and those that never existed", async () => {
    const token = await server.database.token("ann");
    const [hidden, unknown] = ["a2", "no such id"].map((id) => ({ filters: [{ authorizationIds: { ids: [id] } }] }));
    const answers = [];
    for (const request of [hidden, unknown])
      answers.push(await server.call("ListAuthorizations", request ?? {}, { token }));
    expect(answers[0]?.body).toEqual({
      pagination: { totalResult: 0, appliedLimit: 100, nextPageToken: "" },
      authorizations: [],
    });
    expect(answers[1]?.body).toEqual(answers[0]?.body);
  });

  test("never lets a filter widen what the caller sees", async () => {
    const token = await server.database.token("ann");
    expect(await idsSeen(token, { inUserIds: { ids: ["ann", "adam", "bob"] } })).toEqual(["a1"]);
    expect(await idsSeen(token, { roleKey: { key: "", method: "TEXT_FILTER_METHOD_CONTAINS" } })).toEqual(["a1"]);
    expect(await idsSeen(token, { userId: { id: "adam" } })).toEqual([]);
  });

  test("follows a change of rights on the very next request", async () => {
    const token = await administrator("fleeting", [{ organizationId: "globex" }, "ORG_OWNER_VIEWER"]);
    const entry = { userId: "fleeting", organizationId: "globex" };
    expect(await idsSeen(token)).toEqual(["a4", "a5"]);
    await server.database.load({ administrator: { ...entry, roles: [] } });
    expect(await idsSeen(token)).toEqual([]);
    await server.database.load({ administrator: { ...entry, roles: ["ORG_OWNER"] } });
    expect(await idsSeen(token)).toEqual(["a4", "a5"]);
  });

  test("shows what is in an organization, wherever its users have moved", async () => {
    const token = await administrator("mover", [{ organizationId: "initech" }, "ORG_OWNER"]);
    await server.database.load(user("bob", "acme"));
    expect(await idsSeen(token)).toEqual(["a6"]);
    await server.database.load(user("bob", "globex"));
    expect(await idsSeen(token)).toEqual(["a6"]);
  });
});

/** A token of a new user with these entries and nothing else. */
async function administrator(userId: string, ...entries: Entry[]): Promise<string> {
  await server.database.load(...withEntries(userId, ...entries));
  return server.database.token(userId);
}

type Entry = [scope: object, role: string];

function withEntries(userId: string, ...entries: Entry[]): object[] {
  return [
    user(userId, "initech"),
    ...entries.map(([scope, role]) => ({ administrator: { userId, ...scope, roles: [role] } })),
  ];
}

/** The ids that are listed, which the total has to agree with; without filters those of the small world. */
async function idsSeen(token: string, ...filters: object[]): Promise<string[]> {
  const known = filters.length > 0 ? filters : [{ authorizationIds: { ids: all } }];
  const { status, body } = await server.call("ListAuthorizations", { filters: known }, { token });
  expect(status).toBe(200);
  const ids = body.authorizations.map(({ id }: { id: string }) => id).sort();
  expect(body.pagination.totalResult).toBe(ids.length);
  return ids;
}
