import { describe, expect, test } from "vitest";
import { serveSmallWorld } from "../support/server.ts";
import { person, role } from "../support/world.ts";

const { server, root } = await serveSmallWorld();

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

const onlyA4 = { filters: [{ authorizationIds: { ids: ["a4"] } }] };

describe("ListAuthorizations", () => {
  test("answers every field of an authorization exactly as it is stored", async () => {
    const answer = await server.call("ListAuthorizations", onlyA4, { token: root });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.body).toEqual({
      pagination: { totalResult: 1, appliedLimit: 100, nextPageToken: "" },
      authorizations: [a4],
    });
  });

  test("shows the current names after a rename and the current organization after a move", async () => {
    const user = {
      id: "bob",
      organizationId: "umbrella",
      preferredLoginName: "ñ@umbrella.example",
      displayName: "",
      avatarUrl: "https://umbrella.example/n.png",
    };
    await server.database.load(
      { organization: { id: "globex", name: "Globex %_\\ GmbH" } },
      { organization: { id: "umbrella", name: "Umbrella" } },
      { project: { id: "shop", organizationId: "acme", name: "New 😀" } },
      role("shop", "seller", "New seller", ""),
      { user },
    );
    const { body } = await server.call("ListAuthorizations", onlyA4, { token: root });
    expect(body.authorizations[0]).toEqual({
      ...a4,
      project: { ...a4.project, name: "New 😀" },
      organization: { id: "globex", name: "Globex %_\\ GmbH" },
      user,
      roles: [a4.roles[0], { key: "seller", displayName: "New seller", group: "" }],
    });
  });
});
