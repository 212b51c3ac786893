import { describe, expect, test } from "vitest";
import { serveTests } from "../support/server.ts";
import { authorization, person, role } from "../support/world.ts";

const server = await serveTests({ smallWorld: true });
const root = await server.database.token("root");

const a4 = {
  id: "a4",
  creationDate: "2024-01-04T00:00:00Z",
  changeDate: "2024-01-04T00:00:00Z",
  project: { id: "shop", name: "Shop", organizationId: "acme" },
  organization: { id: "globex", name: "Globex" },
  user: person("bob", "globex"),
  state: "STATE_ACTIVE",
  expired: false,
  roles: [
    { key: "auditor", displayName: "Auditor", group: "control" },
    { key: "seller", displayName: "Seller", group: "staff" },
  ],
};

describe("ListAuthorizations", () => {
  test("answers every field of an authorization exactly as it is stored", async () => {
    const answer = await listOf("a4");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.body).toEqual({
      pagination: { totalResult: 1, appliedLimit: 100, nextPageToken: "" },
      authorizations: [a4],
    });
  });

  test("shows dates with 0, 3 or 6 digits and every microsecond that is stored", async () => {
    const dates: Record<string, string> = {
      "2024-05-01T10:20:30Z": "2024-05-01T10:20:30Z",
      "2024-05-01T10:20:30.5Z": "2024-05-01T10:20:30.500Z",
      "2024-05-01T10:20:30.999Z": "2024-05-01T10:20:30.999Z",
      "2024-05-01T10:20:30.0001Z": "2024-05-01T10:20:30.000100Z",
      "2024-05-01T12:20:30.123456+02:00": "2024-05-01T10:20:30.123456Z",
      "0001-01-01T00:00:00Z": "0001-01-01T00:00:00Z",
      "1969-12-31T23:59:59.999999Z": "1969-12-31T23:59:59.999999Z",
      "9999-12-30T23:59:59.999999Z": "9999-12-30T23:59:59.999999Z",
    };
    await server.database.load(
      ...Object.keys(dates).flatMap((date, index) => [
        { project: { id: `dated-${index}`, organizationId: "acme", name: "Dated" } },
        authorization(`dated-${index}`, "cid", `dated-${index}`, "acme", [], date),
      ]),
    );
    const { body } = await listOf(...Object.keys(dates).map((_, index) => `dated-${index}`));
    const shown = Object.fromEntries(
      body.authorizations.map((row: any) => [row.id, [row.creationDate, row.changeDate]]),
    );
    expect(shown).toEqual(
      Object.fromEntries(Object.values(dates).map((date, index) => [`dated-${index}`, [date, date]])),
    );
  });

  test("sorts the roles of an authorization by key, by code point", async () => {
    const keys = ["A", "Z", "a", "z", "~", "Ä", "ä", "～", "𝒪", "😀"];
    await server.database.load(
      { project: { id: "sorted", organizationId: "acme", name: "Sorted" } },
      ...keys.map((key) => role("sorted", key)).reverse(),
      authorization("sorted", "cid", "sorted", "acme", [...keys.slice(5), ...keys.slice(0, 5)], "2024-01-01T00:00:00Z"),
    );
    const { body } = await listOf("sorted");
    expect(body.authorizations[0].roles).toEqual(keys.map((key) => ({ key, displayName: "", group: "" })));
  });

  test("shows the current names after a rename and the current organization after a move", async () => {
    await server.database.load(
      { organization: { id: "initech", name: "Initech AG" } },
      { organization: { id: "umbrella", name: "Umbrella" } },
      { project: { id: "renamed", organizationId: "acme", name: "Old" } },
      role("renamed", "seller", "Old seller", "old"),
      { projectGrant: { id: "renamed-grant", projectId: "renamed", organizationId: "initech", roleKeys: ["seller"] } },
      authorization("renamed", "nobody", "renamed", "initech", ["seller"], "2024-01-01T00:00:00Z"),
    );
    const user = {
      id: "nobody",
      organizationId: "umbrella",
      preferredLoginName: "ñ@umbrella.example",
      displayName: "",
      avatarUrl: "https://umbrella.example/n.png",
    };
    await server.database.load(
      { organization: { id: "initech", name: "Initech %_\\ GmbH" } },
      { project: { id: "renamed", organizationId: "acme", name: "New 😀" } },
      role("renamed", "seller", "New seller", ""),
      { user },
    );
    const { body } = await listOf("renamed");
    expect(body.authorizations[0]).toEqual({
      id: "renamed",
      creationDate: "2024-01-01T00:00:00Z",
      changeDate: "2024-01-01T00:00:00Z",
      project: { id: "renamed", name: "New 😀", organizationId: "acme" },
      organization: { id: "initech", name: "Initech %_\\ GmbH" },
      user,
      state: "STATE_ACTIVE",
      expired: false,
      roles: [{ key: "seller", displayName: "New seller", group: "" }],
    });
  });
});

function listOf(...ids: string[]) {
  return server.call("ListAuthorizations", { filters: [{ authorizationIds: { ids } }] }, { token: root });
}
