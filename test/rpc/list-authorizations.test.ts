import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../support/server.ts";
import { loadSmallWorld } from "../support/world.ts";

let server: TestServer;
let root: string;

beforeAll(async () => {
  server = await startTestServer();
  await loadSmallWorld(server.database);
  root = await server.database.token("root");
});
afterAll(() => server.stop());

describe("ListAuthorizations", () => {
  test("answers every field of an authorization exactly as it is stored", async () => {
    const answer = await server.call(
      "ListAuthorizations",
      { filters: [{ authorizationIds: { ids: ["a4"] } }] },
      { token: root },
    );
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.body).toEqual({
      pagination: { totalResult: 1, appliedLimit: 100 },
      authorizations: [
        {
          id: "a4",
          creationDate: "2024-01-04T00:00:00Z",
          changeDate: "2024-01-04T00:00:00Z",
          project: { id: "shop", name: "Shop", organizationId: "acme" },
          organization: { id: "globex", name: "Globex" },
          user: {
            id: "bob",
            preferredLoginName: "bob@globex.example",
            displayName: "bob of globex",
            avatarUrl: "",
            organizationId: "globex",
          },
          state: "STATE_ACTIVE",
          roles: [
            { key: "auditor", displayName: "Auditor", group: "control" },
            { key: "seller", displayName: "Seller", group: "staff" },
          ],
        },
      ],
    });
  });
});
