import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { EventFilter, EventQuery } from "../../../src/authorization/history.ts";
import type { AdministratorRole, Caller, Scope } from "../../../src/authorization/permissions.ts";
import { eventStatement } from "../../../src/postgres/history/list-events.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = await database.connect();
});
afterAll(() => database.drop());

const filters: { [Kind in EventFilter["kind"]]: EventFilter } = {
  authorizationId: { kind: "authorizationId", id: "a" },
  userId: { kind: "userId", id: "u" },
  projectId: { kind: "projectId", id: "p" },
  organizationId: { kind: "organizationId", id: "o" },
  actorId: { kind: "actorId", id: "" },
  types: { kind: "types", types: ["user.grant.added"] },
  time: { kind: "time", range: { from: 0n, to: 1n } },
};

const organization: Scope = { kind: "organization", organizationId: "o" };
const project: Scope = { kind: "project", projectId: "p" };
const grant: Scope = { kind: "projectGrant", projectGrantId: "g" };
const scopes: Record<string, readonly Scope[]> = {
  "only its own": [],
  everything: [{ kind: "instance" }],
  "what is in organizations": [organization],
  "what projects own": [project],
  "what hangs on grants": [grant],
  "several kinds": [organization, project, grant],
};

describe("the statement of a list of events", () => {
  test.each(Object.entries(scopes))(
    "is prepared by Postgres with every combination of filters, for a caller that sees %s",
    async (...[, held]) => {
      const texts = new Set(shapes(held));
      expect(texts.size).toBeGreaterThan(100);
      await client.query([...texts].map((text, index) => `prepare shape_${index} as ${text}`).join(";\n"));
      await client.query("deallocate all");
    },
  );

  test("has a name only where its total is kept, and none when nothing can match", async () => {
    // The combinations above have used the names up.
    vi.resetModules();
    const { eventStatement } = await import("../../../src/postgres/history/list-events.ts");
    const caller = holding([organization], "ORG_OWNER");
    const statement = (...asked: EventFilter[]) => eventStatement(caller, query(asked, false));
    expect(statement(filters.projectId)?.name).toMatch(/^shape/);
    expect(statement(filters.actorId)?.name).toBeUndefined();
    expect(statement(filters.userId, { kind: "userId", id: "v" })).toBeUndefined();
    expect(statement({ kind: "types", types: [] })).toBeUndefined();
  });
});

/**
 * Every combination of filters, in turns from the beginning and from a position, with the total for a caller that may
 * write, who is shown any user, and without it for one that may only read.
 */
function shapes(held: readonly Scope[]): string[] {
  const each = Object.values(filters);
  return Array.from({ length: 2 ** each.length }, (_, bits) =>
    each.filter((_filter, index) => bits & (1 << index)),
  ).flatMap((asked, index) =>
    [true, false].flatMap((skipTotal) => {
      const after = { time: 0n, sequence: "1" };
      const whole = { ...query(asked, skipTotal), ascending: index % 2 === 0 };
      const caller = holding(held, skipTotal ? "ORG_OWNER_VIEWER" : "ORG_OWNER");
      const statement = eventStatement(caller, index % 3 === 0 ? whole : { ...whole, after });
      return statement === undefined ? [] : [statement.text];
    }),
  );
}

function holding(scopes: readonly Scope[], role: AdministratorRole): Caller {
  return { userId: "u", entries: scopes.map((scope) => ({ scope, roles: [role] })) };
}

function query(asked: readonly EventFilter[], skipTotal: boolean): EventQuery {
  return { filters: asked, ascending: false, offset: 0n, limit: 10, skipTotal };
}
