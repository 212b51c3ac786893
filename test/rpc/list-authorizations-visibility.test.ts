import { describe, expect, test } from "vitest";
import { fieldOnPage, rolesOnPage } from "../support/permissions-page.ts";
import { serveTests } from "../support/server.ts";
import { user } from "../support/world.ts";

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
