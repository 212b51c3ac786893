import { describe, expect, test } from "vitest";
import { type AdministratorEntry, administrator } from "../support/assign.ts";
import { serveTests } from "../support/server.ts";
import { user } from "../support/world.ts";

const server = await serveTests({ smallWorld: true });
// Holds nothing, in an organization nobody administers here.
await server.database.load({ organization: { id: "hooli", name: "Hooli" } }, user("gavin", "hooli", "Gavin"));
const root = await server.database.token("root");

async function list(request: object, token = root) {
  const { status, body } = await server.callDirectory("ListUsers", request, { token });
  expect(status).toBe(200);
  expect(body.pagination.totalResult).toBe(body.users.length);
  return body;
}

const idsOf = ({ users }: any): string[] => users.map(({ id }: { id: string }) => id);
/** Those of the small world; each test adds administrators of its own. */
const amongKnown = ["ann", "adam", "bob", "bea", "cid", "nobody", "gavin"];
const known = { ids: { ids: amongKnown } };

describe("ListUsers", () => {
  test("answers exactly this JSON", async () => {
    expect(await list({ filters: [{ ids: { ids: ["gavin"] } }] })).toEqual({
      pagination: { totalResult: 1, appliedLimit: 100, nextPageToken: "" },
      users: [
        {
          id: "gavin",
          organizationId: "hooli",
          preferredLoginName: "gavin@hooli.example",
          displayName: "Gavin",
          avatarUrl: "",
        },
      ],
    });
  });

  test.each<[string, AdministratorEntry | undefined, string[]]>([
    [
      "the instance everybody",
      { instance: true, roles: ["IAM_OWNER_VIEWER"] },
      ["adam", "ann", "bea", "bob", "cid", "gavin", "nobody"],
    ],
    [
      "an organization its users, and guests who have an authorization in it",
      { organizationId: "initech", roles: ["ORG_OWNER_VIEWER"] },
      ["bob", "cid", "nobody"],
    ],
    [
      "a project's administrators those with an authorization in the owner's organization",
      { projectId: "shop", roles: ["PROJECT_OWNER_VIEWER"] },
      ["adam", "ann"],
    ],
    [
      "a grant's administrators those with an authorization on it, and not the organization's other users",
      { projectGrantId: "shop-to-initech", roles: ["PROJECT_GRANT_OWNER_VIEWER"] },
      ["bob"],
    ],
    ["nobody else anybody", undefined, []],
  ])("shows %s", async (_what, entry, expected) => {
    const token = await administrator(server.database, entry);
    expect(idsOf(await list({ filters: [known] }, token))).toEqual(expected);
  });

  test("shows a plain user itself when it has an authorization, and no one else", async () => {
    expect(idsOf(await list({}, await server.database.token("bob")))).toEqual(["bob"]);
    expect(idsOf(await list({}, await server.database.token("cid")))).toEqual([]);
  });

  const login = (text: string, method = "TEXT_FILTER_METHOD_EQUALS") => ({ preferredLoginName: { text, method } });
  const gavin = "gavin@hooli.example";

  test.each([
    { projectGrantId: "shop-to-initech", roles: ["PROJECT_GRANT_OWNER"] },
    { projectId: "shop", roles: ["PROJECT_OWNER"] },
    { organizationId: "acme", roles: ["ORG_OWNER"] },
  ])("finds a user the caller does not see by its exact id or login name, and in no other way: %s", async (entry) => {
    const token = await administrator(server.database, entry);
    const find = async (...filters: object[]) => idsOf(await list({ filters }, token));
    const one = { ids: { ids: ["gavin"] } };
    for (const exact of [one, login(gavin)]) {
      expect(await find(exact)).toEqual(["gavin"]);
      expect(await find(exact, { organizationId: { id: "hooli" } })).toEqual(["gavin"]);
      expect(await find(exact, { organizationId: { id: "acme" } }), "other filters apply").toEqual([]);
    }
    const others = [
      { ids: { ids: ["gavin", "nobody"] } },
      login("gavin", "TEXT_FILTER_METHOD_STARTS_WITH"),
      login(gavin, "TEXT_FILTER_METHOD_EQUALS_IGNORE_CASE"),
      login(gavin, "TEXT_FILTER_METHOD_CONTAINS"),
      { name: { text: gavin } },
      { displayName: { text: "Gavin" } },
      { organizationId: { id: "hooli" } },
    ];
    for (const other of others) expect(await find(other), JSON.stringify(other)).toEqual([]);
    expect(await find(login("GAVIN@hooli.example"))).toEqual([]);
    expect(await find(login(""))).toEqual([]);
  });

  test("finds no unseen users for callers who may only read, or nothing", async () => {
    for (const entry of [{ organizationId: "acme", roles: ["ORG_OWNER_VIEWER"] }, undefined]) {
      const token = await administrator(server.database, entry);
      for (const filter of [{ ids: { ids: ["gavin"] } }, login(gavin)]) {
        expect(idsOf(await list({ filters: [filter] }, token))).toEqual([]);
      }
    }
  });

  test("compares the display name, the login name, or either of them, and sorts by display name", async () => {
    await server.database.load(user("x", "acme", "zed"), user("zed", "acme", "XAVER"), user("y", "acme", "xaver"));
    const find = async (kind: string, text: string) =>
      idsOf(await list({ filters: [{ [kind]: { text, method: "TEXT_FILTER_METHOD_STARTS_WITH_IGNORE_CASE" } }] }));
    expect(await find("displayName", "ZED")).toEqual(["x"]);
    expect(await find("preferredLoginName", "ZED")).toEqual(["zed"]);
    expect(await find("name", "ZED")).toEqual(["zed", "x"]);
    expect(await find("displayName", "xaver")).toEqual(["y", "zed"]);
    await server.database.load(...["x", "y", "zed"].map((userId) => ({ remove: { userId } })));
  });
});
