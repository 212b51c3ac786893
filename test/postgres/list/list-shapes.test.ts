import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DateRange, Filter, ListQuery, SortColumn, TextMatch } from "../../../src/authorization/list.ts";
import type { Scope, Visibility } from "../../../src/authorization/permissions.ts";
import { listStatement } from "../../../src/postgres/list/list-authorizations.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = await database.connect();
});
afterAll(() => database.drop());

const textMatches: TextMatch[] = (["equals", "startsWith", "contains", "endsWith"] as const).flatMap((method) => [
  { text: "x", method, ignoreCase: false },
  { text: "x", method, ignoreCase: true },
]);

const ranges: DateRange[] = [
  { from: 0n, to: undefined },
  { from: undefined, to: 0n },
  { from: 0n, to: 253_402_300_800_000_000n },
];
const ofColumns: Filter = { kind: "userId", id: "x" };
const ofRows: Filter = { kind: "roleKeys", keys: ["a"] };

/** One filter of every kind, and of the kinds that compare texts one for every method. */
const filters: { [Kind in Filter["kind"]]: readonly Extract<Filter, { kind: Kind }>[] | readonly Filter[] } = {
  authorizationIds: [
    { kind: "authorizationIds", ids: [] },
    { kind: "authorizationIds", ids: ["a", "b"] },
  ],
  userIds: [
    { kind: "userIds", ids: [] },
    { kind: "userIds", ids: ["a", "b"] },
  ],
  userId: [{ kind: "userId", id: "x" }],
  organizationId: [{ kind: "organizationId", id: "x" }],
  userOrganizationId: [{ kind: "userOrganizationId", id: "x" }],
  projectId: [{ kind: "projectId", id: "x" }],
  projectGrantId: [
    { kind: "projectGrantId", id: "x" },
    { kind: "projectGrantId", id: "" },
  ],
  state: [
    { kind: "state", state: "active" },
    { kind: "state", state: "inactive" },
  ],
  userLoginName: textMatches.map((match) => ({ kind: "userLoginName", match })),
  userDisplayName: textMatches.map((match) => ({ kind: "userDisplayName", match })),
  projectName: textMatches.map((match) => ({ kind: "projectName", match })),
  organizationName: textMatches.map((match) => ({ kind: "organizationName", match })),
  roleKey: textMatches.map((match) => ({ kind: "roleKey", match })),
  roleKeys: [
    { kind: "roleKeys", keys: [] },
    { kind: "roleKeys", keys: ["a", "b"] },
  ],
  projectIds: [
    { kind: "projectIds", ids: [] },
    { kind: "projectIds", ids: ["a", "b"] },
  ],
  created: ranges.map((range) => ({ kind: "created", range })),
  changed: ranges.map((range) => ({ kind: "changed", range })),
  anyOf: [
    { kind: "anyOf", filters: [] },
    { kind: "anyOf", filters: [ofColumns, ofRows] },
    { kind: "anyOf", filters: [ofColumns, { kind: "not", filter: ofRows }] },
    { kind: "anyOf", filters: [ofRows, { kind: "allOf", filters: [{ kind: "not", filter: ofRows }, ofColumns] }] },
  ],
  allOf: [{ kind: "allOf", filters: [ofColumns, { kind: "anyOf", filters: [ofRows, ofColumns] }] }],
  not: [
    { kind: "not", filter: ofColumns },
    { kind: "not", filter: ofRows },
    { kind: "not", filter: { kind: "anyOf", filters: [ofColumns, ofRows] } },
    { kind: "not", filter: { kind: "allOf", filters: [ofColumns, ofRows] } },
  ],
};

const columns: { [Column in SortColumn]: Column } = {
  creationDate: "creationDate",
  changeDate: "changeDate",
  id: "id",
  userId: "userId",
  projectId: "projectId",
  organizationId: "organizationId",
  userOrganizationId: "userOrganizationId",
  userDisplayName: "userDisplayName",
  projectName: "projectName",
  organizationName: "organizationName",
};

const instance: Scope = { kind: "instance" };
const organizations: Scope[] = ["o", "p"].map((organizationId) => ({ kind: "organization", organizationId }));
const projects: Scope[] = ["p", "q"].map((projectId) => ({ kind: "project", projectId }));
const grants: Scope[] = ["g", "h"].map((projectGrantId) => ({ kind: "projectGrant", projectGrantId }));

const visibilities: Record<string, readonly Scope[]> = {
  "only its own": [],
  everything: [instance],
  "what is in organizations": organizations,
  "what projects own": projects,
  "what hangs on grants": grants,
  "several kinds": [...organizations, ...projects, ...grants],
};

describe("the statement of a list", () => {
  test.each(Object.entries(visibilities))(
    "is prepared by Postgres in every shape, for a caller that sees %s",
    async (...[, scopes]) => {
      const texts = new Set(shapes({ userId: "u", scopes }).map((statement) => statement.text));
      expect(texts.size).toBeGreaterThan(14 * 6 + 2 * 25 - 20);
      // One batch, because a round trip for each of hundreds would take longer than all the parsing.
      await client.query([...texts].map((text, index) => `prepare shape_${index} as ${text}`).join(";\n"));
      await client.query("deallocate all");
    },
  );

  test("takes the same text, whatever the values, so that a prepared one can be used again", () => {
    const statement = (id: string, limit: number, offset: bigint) =>
      listStatement(
        { userId: id, scopes: [{ kind: "organization", organizationId: id }] },
        { ...query([{ kind: "userId", id }], "id", true), limit, offset },
      );
    expect(statement("'; drop table users --", 7, 2n ** 64n).text).toBe(statement("ann", 100, 0n).text);
  });
});

/**
 * No filter, one whose total is kept, all that nest no others at once and twice, and all that nest: by every column in both directions, from the
 * beginning and from a position, with and without the total. Every filter alone: by a column of each table.
 */
function shapes(visibility: Visibility) {
  const nesting = [...filters.anyOf, ...filters.allOf, ...filters.not];
  const simple = Object.values(filters)
    .flat()
    .filter((filter) => !nesting.includes(filter));
  const sorted = Object.values(columns).flatMap((column) =>
    [true, false].flatMap((ascending) =>
      [[], filters.projectId, [...simple, ...simple], nesting].flatMap((list) => {
        const first = query(list as Filter[], column, ascending);
        const key = column === "creationDate" || column === "changeDate" ? 0n : "k";
        return [first, { ...first, after: { key, id: "x" }, skipTotal: true }];
      }),
    ),
  );
  const filtered = [...simple, ...nesting].flatMap((filter) => [
    query([filter], "userId", true),
    query([filter], "changeDate", false),
  ]);
  return [...sorted, ...filtered].map((each) => listStatement(visibility, each));
}

function query(list: readonly Filter[], column: SortColumn, ascending: boolean): ListQuery {
  return { filters: list, sort: { column, ascending }, offset: 0n, limit: 100 };
}
