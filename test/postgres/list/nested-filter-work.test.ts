import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoWorld } from "../../../demo/world.ts";
import type { Filter, TextFilterKind, TextMatch } from "../../../src/authorization/list.ts";
import type { Scope } from "../../../src/authorization/permissions.ts";
import { listStatement } from "../../../src/postgres/list/list-authorizations.ts";
import { examine } from "../../plans/explain.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.load(...demoWorld());
  await database.query("analyze");
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query("set jit = off; set random_page_cost = 1.1");
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const authorizations = 10_000;

function text(kind: TextFilterKind, part: string, method: TextMatch["method"] = "contains"): Filter {
  return { kind, match: { text: part, method, ignoreCase: method === "contains" } };
}

function anyOf(...filters: Filter[]): Filter {
  return { kind: "anyOf", filters };
}

function not(filter: Filter): Filter {
  return { kind: "not", filter };
}

function manyKeys(prefix: string): Filter {
  return { kind: "roleKeys", keys: Array.from({ length: 1_000 }, (_, n) => `${prefix}${n}`) };
}

function repeated(count: number, filter: (n: number) => Filter): Filter[] {
  return Array.from({ length: count }, (_, n) => filter(n));
}

const texts = [
  text("userDisplayName", "a"),
  text("userPreferredLoginName", "e"),
  text("projectName", "e"),
  text("organizationName", "e"),
  text("roleKey", "e"),
];

const cases: Record<string, Filter[]> = {
  "twelve anyOf beside each other": repeated(12, () =>
    anyOf(text("userPreferredLoginName", "nobody", "equals"), text("organizationName", "Acme", "equals")),
  ),
  "anyOf of texts that match much and nothing": [
    anyOf(text("userDisplayName", "nobody", "equals"), text("organizationName", "Acme", "equals")),
    anyOf(text("userPreferredLoginName", ".example", "endsWith"), text("projectName", "zz", "equals")),
    anyOf(text("organizationName", "acme"), { kind: "roleKeys", keys: ["nothing"] }),
  ],
  "anyOf with something negated, several times": repeated(6, () =>
    anyOf(not(text("userPreferredLoginName", "a")), text("organizationName", "Acme", "equals")),
  ),
  "twenty-four long lists of keys, negated": repeated(24, (n) => not(manyKeys(`key-${n}-`))),
  "not all of thirty texts": [not({ kind: "allOf", filters: repeated(30, (n) => texts[n % 5] as Filter) })],
  "thirty texts": repeated(30, (n) => texts[n % 5] as Filter),
};

// What a join compares in vain counts too: every row with every other would be thirty times the bound and more.
test.each(
  Object.entries(cases).flatMap(([name, filters]) => [
    { name, filters, caller: "the instance owner", scopes: [{ kind: "instance" }] satisfies Scope[] },
    {
      name,
      filters,
      caller: "an organization's owner",
      scopes: [{ kind: "organization", organizationId: "acme" }] satisfies Scope[],
    },
  ]),
)("$name, asked by $caller, take as many rows as there are for each filter, and not their square", async (asked) => {
  const { filters, scopes } = asked;
  const query = { filters, sort: { column: "creationDate", ascending: false }, offset: 0n, limit: 10 } as const;
  const { rows, scans } = await examine(client, listStatement({ userId: "nobody", scopes }, query), false);
  expect(rows, JSON.stringify(scans)).toBeLessThan(10 * authorizations * filters.length + 20 * authorizations);
});
