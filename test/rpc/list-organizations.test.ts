import { describe, expect, test } from "vitest";
import { type AdministratorEntry, administrator } from "../support/assign.ts";
import { bodyOf, serveSmallWorld } from "../support/server.ts";

const { server, root } = await serveSmallWorld();
await server.database.load(
  { organization: { id: "ä", name: "ärger" } },
  { organization: { id: "A", name: "ACME" } },
  { organization: { id: "Ä", name: "Ärger" } },
);

const list = (request: object, token = root) => bodyOf(server.callDirectory("ListOrganizations", request, { token }));

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

  test.each<[what: string, entry: AdministratorEntry | undefined, ids: string[]]>([
    [
      "administrators of an organization just that",
      { organizationId: "globex", roles: ["ORG_OWNER_VIEWER"] },
      ["globex"],
    ],
    ["administrators of a project its owner", { projectId: "shop", roles: ["PROJECT_OWNER_VIEWER"] }, ["acme"]],
    [
      "administrators of a grant the organization it is for",
      { projectGrantId: "shop-to-initech", roles: ["PROJECT_GRANT_OWNER"] },
      ["initech"],
    ],
    ["no one else any", undefined, []],
  ])("shows %s", async (_what, entry, ids) => {
    expect(idsOf(await list({}, await administrator(server.database, entry)))).toEqual(ids);
  });

  test("shows a plain user the organizations of its own authorizations, not its own organization", async () => {
    expect(idsOf(await list({}, await server.database.token("bob")))).toEqual(["globex", "initech"]);
    expect(idsOf(await list({}, await server.database.token("cid")))).toEqual([]);
  });

  test("refuses 1001 ids, a filter of nothing, and a text of 201 characters", async () => {
    const ids = Array.from({ length: 1_001 }, (_, index) => `id ${index}`);
    for (const filters of [[{ ids: { ids } }], [{}], [{ name: { text: "a".repeat(201) } }]]) {
      const { status, body } = await server.callDirectory("ListOrganizations", { filters }, { token: root });
      expect([status, body.code]).toEqual([400, "invalid_argument"]);
    }
  });
});
