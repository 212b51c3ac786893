import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { EventFilter } from "../../../src/authorization/history.ts";
import type { AdministratorRole, Caller, Scope } from "../../../src/authorization/permissions.ts";
import type { DirectoryEventFilter } from "../../../src/directory/history.ts";
import type { Statement } from "../../../src/postgres/database/prepared.ts";
import { directoryEventStatement } from "../../../src/postgres/history/list-directory-events.ts";
import { eventStatement } from "../../../src/postgres/history/list-events.ts";
import { examine } from "../../plans/explain.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

// Places with hundreds of times as many events as most others.

const large = 6_000;
/** In the crowded organization, more than are counted at first. */
const inCrowded = 12_000;
const ofUsers = 36_000;
/** The events of the role are in all other organizations. */
const ofViewers = 4_000;
let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(`
    insert into events (sequence, authorization_id, type, time, actor_id, user_id, organization_id, project_id, project_grant_id,
      role_keys, state, creation_date, request_id)
    overriding system value
    select first_sequence(now()) + n, 'a' || n, 'user.grant.added', '2026-01-01'::timestamptz + n * interval '1 second',
      'bot', 'u' || n, case when n <= ${large} then 'large' else 'o' || n % 2000 end,
      case when n <= ${large} then 'shop' else 'p' || n % 2000 end, '', '{viewer}', 'active', now(), gen_random_uuid()
    from generate_series(1, ${2 * large}) n`);
  await database.query("insert into organizations (id, name) values ('large', 'Large')");
  await database.query("insert into projects (id, name, organization_id) values ('shop', 'Shop', 'large')");
  await database.query(`
    insert into directory_event_places (kind, id, time, sequence)
    select 'organization', case when n <= ${large} then 'large' else 'o' || n % 2000 end,
      '2026-01-01'::timestamptz + n * interval '1 second', first_sequence(now()) + n
    from generate_series(1, ${2 * large}) n`);
  await database.query(`
    with added as (
      insert into directory_events (sequence, time, kind, id, user_id, request_id, after)
      overriding system value
      select first_sequence(now()) + 100000 + n, '2026-02-01'::timestamptz + n * interval '1 second',
        case when n <= ${ofUsers} then 'user' else 'projectRole' end,
        case when n <= ${ofUsers} then 'u' || n else 'viewer' end,
        case when n <= ${ofUsers} then 'u' || n end, gen_random_uuid(), '{}'
      from generate_series(1, ${ofUsers + ofViewers}) n
      returning sequence, time, kind)
    insert into directory_event_places (kind, id, time, sequence)
    select 'organization',
      case when kind = 'user' and sequence % ${ofUsers / inCrowded} = 0 then 'crowded' else 'o' || sequence % 2000 end,
      time, sequence
    from added
    union all
    select 'project', 'p' || sequence % 2000, time, sequence from added`);
  await database.query("vacuum analyze events, directory_events, directory_event_places, numbers");
  client = await database.connect();
  await client.query("set random_page_cost = 1.1");
});
afterAll(() => database.drop());

/** The page, one more, the numbers of the places, and what says how far back the history goes. */
const ofPage = 100;
const page = { ascending: false, offset: 0n, limit: 20, skipTotal: true };

function callerOf(scope: Scope, role: AdministratorRole): Caller {
  return { userId: "ann", entries: [{ scope, roles: [role] }] };
}

const owner = (organizationId: string) => callerOf({ kind: "organization", organizationId }, "ORG_OWNER");

async function rowsOf(statement: Statement | undefined): Promise<number> {
  if (statement === undefined) throw new Error("the list matches nothing, whatever there is");
  const { rows } = await examine(client, statement, false);
  expect(rows).toBeGreaterThan(0);
  return rows;
}

test.each(["large", "o7"])(
  "A page of the directory's events in one place reads few others (%s)",
  async (organizationId) => {
    expect(await rowsOf(directoryEventStatement(owner(organizationId), { ...page, filters: [] }))).toBeLessThan(ofPage);
  },
);

test.each([
  ["its owner", callerOf({ kind: "project", projectId: "shop" }, "PROJECT_OWNER"), []],
  ["who sees everything", callerOf({ kind: "instance" }, "IAM_OWNER"), [{ kind: "projectId", id: "shop" }] as const],
])("A page of the events of one project reads few others (%s)", async (_who, caller, filters) => {
  expect(await rowsOf(eventStatement(caller, { ...page, limit: 5, filters }))).toBeLessThan(ofPage);
});

test.each([
  ["an organization", owner("large")],
  ["only its own", { userId: "u7", entries: [] }],
  ["everything", callerOf({ kind: "instance" }, "IAM_OWNER")],
] as const)(
  "An index finds a range of times by no other condition behind it (a caller that sees %s)",
  async (_what, caller) => {
    const filters: readonly EventFilter[] & readonly DirectoryEventFilter[] = [
      { kind: "time", range: { from: 0n, to: 1_000_000n } },
      { kind: "actorId", id: "bot" },
    ];
    const list = { ...page, skipTotal: false, filters };
    for (const statement of [eventStatement(caller, list), directoryEventStatement(caller, list)]) {
      const { text = "", values = [] } = statement ?? {};
      const { rows } = await client.query<{ "QUERY PLAN": string }>({ text: `explain ${text}`, values });
      const ranges = rows.map((row) => row["QUERY PLAN"]).filter((line) => /Index Cond: .*"time"/.test(line));
      expect(ranges).not.toEqual([]);
      expect(ranges.filter((line) => line.includes("sequence"))).toEqual([]);
    }
  },
);

test("What an actor did is counted up to what is in the places, which is known, and then read once", async () => {
  const filters: EventFilter[] = [{ kind: "actorId", id: "bot" }];
  const rows = await rowsOf(eventStatement(owner("large"), { ...page, skipTotal: false, filters }));
  expect(rows).toBeLessThan(2 * large + 2 * ofPage);
});

test.each(["all months", "recent months"])(
  "The total of the directory's events of a kind is counted among those of the place, if they are fewer (in %s)",
  async (where) => {
    const [{ first }] = (await database.query("select first_sequence(now()) as first")) as [{ first: bigint }];
    await database.query("delete from past_months");
    await database.query("insert into past_months (history, first_after, latest) values ('directory_events', $1, $2)", [
      first,
      "2025-01-01Z",
    ]);
    const since = { history: "directory_events", first: BigInt(first), latestBefore: 0n } as const;
    const filters: DirectoryEventFilter[] = [{ kind: "types", types: ["user"] }];
    const list = { ...page, skipTotal: false, filters };
    const isRecent = where === "recent months";
    const rows = await rowsOf(directoryEventStatement(owner("crowded"), list, isRecent ? since : undefined));
    // Entries of indexes, to choose the way: on each way some, and then all. Each event of the place, and its entry.
    expect(rows).toBeLessThan(2 * 10_502 + ofUsers + inCrowded + 2 * inCrowded + ofPage);
  },
);

test("A thing is found without a look into each of the caller's places", async () => {
  const places = Array.from({ length: 300 }, (_, n): Scope => ({ kind: "organization", organizationId: `empty${n}` }));
  const caller: Caller = { userId: "ann", entries: places.map((scope) => ({ scope, roles: ["ORG_OWNER"] })) };
  const statement = directoryEventStatement(caller, { ...page, filters: [{ kind: "id", id: "u7" }] });
  if (statement === undefined) throw new Error("the list matches nothing, whatever there is");
  // Whether the place was ever created again is looked up for each of them.
  expect((await examine(client, statement, false)).searches).toBeLessThan(places.length + ofPage);
});

test("A page skips what is hidden because the place was created again, in the index", async () => {
  await client.query("begin");
  await client.query(`
    insert into removed_things (kind, id, organization_id, last_event, last_directory_event)
    values ('organization', 'large', 'large', first_sequence(now()) + 99999, first_sequence(now()) + 99999)`);
  const lists = [eventStatement, directoryEventStatement].map((statementOf) =>
    statementOf(owner("large"), { ...page, filters: [] }),
  );
  for (const statement of lists) {
    if (statement === undefined) throw new Error("the list matches nothing, whatever there is");
    // By the pages of the index that are passed over.
    expect((await examine(client, statement, false)).rows).toBeLessThan(0.75 * large);
  }
  await client.query("rollback");
});

test("A few events of the directory are read once for the page and the total", async () => {
  const filters: DirectoryEventFilter[] = [{ kind: "id", id: "viewer" }];
  const list = (skipTotal: boolean) =>
    rowsOf(directoryEventStatement(owner("crowded"), { ...page, skipTotal, filters }));
  expect(await list(false)).toBeLessThan(1.1 * (await list(true)));
});
