import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AdministratorRole, Caller, Scope } from "../../../src/authorization/permissions.ts";
import type { DirectoryEventFilter } from "../../../src/directory/history.ts";
import { directoryEventStatement } from "../../../src/postgres/history/list-directory-events.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = await database.connect();
});
afterAll(() => database.drop());

const filters: { [Kind in DirectoryEventFilter["kind"]]: DirectoryEventFilter } = {
  id: { kind: "id", id: "a" },
  userId: { kind: "userId", id: "u" },
  projectId: { kind: "projectId", id: "p" },
  organizationId: { kind: "organizationId", id: "o" },
  actorId: { kind: "actorId", id: "" },
  types: { kind: "types", types: ["user"] },
  time: { kind: "time", range: { from: 0n, to: 1n } },
};

const organization: Scope = { kind: "organization", organizationId: "o" };
const project: Scope = { kind: "project", projectId: "p" };
const grant: Scope = { kind: "projectGrant", projectGrantId: "g" };
const many = Array.from({ length: 300 }, (_, n): Scope => ({ kind: "organization", organizationId: `o${n}` }));
const callers: Record<string, readonly [scopes: readonly Scope[], role: AdministratorRole]> = {
  "only its own": [[], "ORG_OWNER"],
  everything: [[{ kind: "instance" }], "IAM_OWNER"],
  "everything but tokens": [[{ kind: "instance" }], "IAM_OWNER_VIEWER"],
  "one organization": [[organization], "ORG_OWNER"],
  "one grant": [[grant], "PROJECT_GRANT_OWNER"],
  "several kinds": [[organization, project, grant], "ORG_OWNER"],
  "many organizations": [many, "ORG_OWNER"],
};

test.each(Object.entries(callers))(
  "The statement of a list of the directory's events is prepared with every combination of filters, for a caller that sees %s",
  async (_what, [scopes, role]) => {
    const caller: Caller = { userId: "u", entries: scopes.map((scope) => ({ scope, roles: [role] })) };
    const each = Object.values(filters);
    const texts = new Set<string>();
    for (let bits = 0; bits < 2 ** each.length; bits += 1) {
      const asked = each.filter((_filter, index) => bits & (1 << index));
      const page = { filters: asked, ascending: bits % 2 === 0, offset: 0n, limit: 100, skipTotal: bits % 3 === 0 };
      const after = { time: 0n, sequence: "1" };
      const statement = directoryEventStatement(caller, bits % 5 === 0 ? page : { ...page, after });
      texts.add(statement?.text ?? expect.unreachable("nothing can match"));
    }
    expect(texts.size).toBeGreaterThan(50);
    await client.query([...texts].map((text, index) => `prepare shape_${index} as ${text}`).join(";\n"));
    await client.query("deallocate all");
  },
);

test("There is no statement if nothing can match", () => {
  const query = { ascending: false, offset: 0n, limit: 1, skipTotal: false };
  const caller = { userId: "u", entries: [] };
  for (const asked of [
    [filters.id, { kind: "id", id: "b" }],
    [{ kind: "types", types: [] }],
    [{ kind: "projectId", id: "" }],
  ] as DirectoryEventFilter[][]) {
    expect(directoryEventStatement(caller, { ...query, filters: asked })).toBeUndefined();
  }
});
