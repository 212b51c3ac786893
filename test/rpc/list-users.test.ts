import { describe, expect, test } from "vitest";
import { administrator } from "../support/assign.ts";
import { bodyOf, serveSmallWorld } from "../support/server.ts";
import { person, user } from "../support/world.ts";

const { server, root } = await serveSmallWorld();
// Holds nothing, in an organization nobody administers here.
await server.database.load({ organization: { id: "hooli", name: "Hooli" } }, user("gavin", "hooli", "Gavin"));

async function list(request: object, token = root) {
  const body = await bodyOf(server.callDirectory("ListUsers", request, { token }));
  expect(body.pagination.totalResult).toBe(body.users.length);
  return body;
}

const idsOf = ({ users }: any): string[] => users.map(({ id }: { id: string }) => id);

describe("ListUsers", () => {
  test("answers exactly this JSON", async () => {
    expect(await list({ filters: [{ ids: { ids: ["gavin"] } }] })).toEqual({
      pagination: { totalResult: 1, appliedLimit: 100, nextPageToken: "" },
      users: [person("gavin", "hooli", "Gavin")],
    });
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
});
