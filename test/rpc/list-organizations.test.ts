import { describe, expect, test } from "vitest";
import { serveTests } from "../support/server.ts";

const server = await serveTests({ smallWorld: true });
await server.database.load(
  { organization: { id: "ä", name: "ärger" } },
  { organization: { id: "A", name: "ACME" } },
  { organization: { id: "Ä", name: "Ärger" } },
);
const root = await server.database.token("root");

async function list(request: object, token = root) {
  const { status, body } = await server.callDirectory("ListOrganizations", request, { token });
  expect(status).toBe(200);
  return body;
}

const idsOf = ({ organizations }: any): string[] => organizations.map(({ id }: { id: string }) => id);

describe("ListOrganizations", () => {
  test("answers exactly this JSON", async () => {
    expect(await list({ filters: [{ ids: { ids: ["globex", "acme"] } }], pagination: { limit: 5 } })).toEqual({
      pagination: { totalResult: 2, appliedLimit: 5, nextPageToken: "" },
      organizations: [
        { id: "acme", name: "Acme" },
        { id: "globex", name: "Globex" },
      ],
    });
  });

  test.each([true, false])("sorts by name whatever its case, then by id, also with asc: %s", async (asc) => {
    expect(idsOf(await list({ pagination: { asc } }))).toEqual(["A", "acme", "globex", "initech", "Ä", "ä"]);
  });

  test("refuses 1001 ids, a filter of nothing, and a text of 201 characters", async () => {
    const ids = Array.from({ length: 1_001 }, (_, index) => `id ${index}`);
    for (const filters of [[{ ids: { ids } }], [{}], [{ name: { text: "a".repeat(201) } }]]) {
      const { status, body } = await server.callDirectory("ListOrganizations", { filters }, { token: root });
      expect([status, body.code]).toEqual([400, "invalid_argument"]);
    }
  });
});
