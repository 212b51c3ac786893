import { describe, expect, test } from "vitest";
import { errorInfo, serveTests } from "../support/server.ts";

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

  test("refuses a limit over the maximum, and a page token of another look-up or of other filters", async () => {
    const call = (request: object) => server.callDirectory("ListOrganizations", request, { token: root });
    expect(errorInfo(await call({ pagination: { limit: 1_001 } }))?.reason).toBe("LIMIT_EXCEEDED");
    const { pagination } = await list({ pagination: { limit: 1 } });
    const page = { pageToken: pagination.nextPageToken };
    expect((await call({ pagination: page })).status).toBe(200);
    const filtered = await call({ pagination: page, filters: [{ name: { text: "a" } }] });
    expect(errorInfo(filtered)?.reason).toBe("PAGE_TOKEN_INVALID");
    for (const [rpc, more] of [
      ["ListUsers", {}],
      ["ListProjects", {}],
      ["ListProjects", { assignable: true }],
    ] as const) {
      const answer = await server.callDirectory(rpc, { pagination: page, ...more }, { token: root });
      expect(errorInfo(answer)?.reason, rpc).toBe("PAGE_TOKEN_INVALID");
    }
  });

  test("refuses more than 50 filters, 1001 ids, and a filter of nothing", async () => {
    const ids = Array.from({ length: 1_001 }, (_, index) => `id ${index}`);
    const name = { name: { text: "a" } };
    for (const filters of [Array(51).fill(name), [{ ids: { ids } }], [{}], [{ name: { text: "a".repeat(201) } }]]) {
      const { status, body } = await server.callDirectory("ListOrganizations", { filters }, { token: root });
      expect([status, body.code]).toEqual([400, "invalid_argument"]);
    }
  });
});
