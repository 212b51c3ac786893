import { afterAll, beforeAll, expect, test } from "vitest";
import type { Caller } from "../../../src/authorization/permissions.ts";
import { directoryEventStatement } from "../../../src/postgres/history/list-directory-events.ts";
import { examine } from "../../plans/explain.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

// Places with hundreds of times as many events of the directory as most others.

const large = 6_000;
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(`
    insert into directory_event_places (kind, id, time, sequence)
    select 'organization', case when n <= ${large} then 'large' else 'o' || n % 2000 end,
      '2026-01-01'::timestamptz + n * interval '1 second', first_sequence(now()) + n
    from generate_series(1, ${2 * large}) n`);
  await database.query("vacuum analyze directory_event_places");
});
afterAll(() => database.drop());

test.each(["large", "o7"])(
  "A page of the directory's events in one place reads few others (%s)",
  async (organizationId) => {
    const entries: Caller["entries"] = [{ scope: { kind: "organization", organizationId }, roles: ["ORG_OWNER"] }];
    const query = { filters: [], ascending: false, offset: 0n, limit: 20, skipTotal: true };
    const statement = directoryEventStatement({ userId: "ann", entries }, query);
    if (statement === undefined) throw new Error("a list without filters matches nothing");
    const client = await database.connect();
    await client.query("set random_page_cost = 1.1");
    const { rows } = await examine(client, statement, false);
    // The page, one more, and what says how far back the history goes.
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThan(100);
  },
);
