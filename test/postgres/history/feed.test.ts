import type pg from "pg";
import { describe, expect, test } from "vitest";
import type { FeedPosition, Moment } from "../../../src/authorization/feed.ts";
import { postgresFeed } from "../../../src/postgres/history/feed.ts";
import type { Statement } from "../../../src/postgres/pool/prepared.ts";
import { stopKeeping } from "../../../src/postgres/retention/archive.ts";
import { examine } from "../../plans/explain.ts";
import { databaseOfTests, openForTests } from "../../support/database.ts";
import { until } from "../../support/until.ts";

const testDatabase = await databaseOfTests();
const database = openForTests(testDatabase.url, 2);
const feed = postgresFeed(database);
const { signal } = new AbortController();
const everything = {
  userId: "root",
  entries: [{ scope: { kind: "instance", id: "" } as const, roles: ["IAM_OWNER"] as const }],
};

const now = async (): Promise<Moment> => (await feed.look(undefined, signal)).moment;

/** Appends an event, in whatever transaction the session is in. */
function append(session: { query(text: string, values: unknown[]): Promise<unknown> }, id: string): Promise<unknown> {
  return session.query(
    `insert into events (authorization_id, type, time, user_id, project_id, organization_id, project_grant_id, role_keys,
        state, creation_date, request_id)
      values ($1, 'user.grant.added', now(), 'ann', 'shop', 'acme', '', '{}', 'active', now(), gen_random_uuid())`,
    [id],
  );
}

/** A statement that appends many events. */
function appendMany(count: number, id: string, transaction = "pg_current_xact_id()"): string {
  return `
    insert into events (authorization_id, type, time, user_id, project_id, organization_id, project_grant_id, role_keys,
      state, creation_date, request_id, transaction)
    select '${id}-' || n, 'user.grant.added', now(), 'ann', 'shop', 'acme', '', '{}', 'active', now(), gen_random_uuid(), ${transaction}
    from generate_series(1, ${count}) n`;
}

async function inOpenTransaction(id: string): Promise<pg.Client> {
  const session = await testDatabase.connect();
  await session.query("begin");
  await append(session, id);
  return session;
}

/** Reads everything between two moments as streams do, one event at a time or all at once. */
async function readAll(start: FeedPosition, until: Moment): Promise<string[]> {
  const span = await feed.span(start.seen, until, signal);
  if (span === undefined) return [];
  const ids: string[] = [];
  let position: FeedPosition = { ...start, sending: { until, after: span.first - 1n, last: span.last } };
  while (position.sending !== undefined) {
    const { sending, seen } = position;
    const read = await feed.read(everything, [], { seen, sending }, signal);
    ids.push(...read.events.map(({ authorizationId }) => authorizationId));
    position = read.position;
  }
  return ids;
}

describe("The feed", () => {
  test("leaves out nothing that commits in another order than it began", async () => {
    const start = await now();
    const first = await inOpenTransaction("began-first");
    const second = await inOpenTransaction("began-second");
    await second.query("commit");
    const between = await now();
    expect(await readAll({ seen: start }, between)).toEqual(["began-second"]);
    await first.query("commit");
    expect(await readAll({ seen: start }, between)).toEqual(["began-second"]);
    expect(await readAll({ seen: between }, await now())).toEqual(["began-first"]);
  });

  test("sends what became visible together by sequence, not by transaction", async () => {
    const start = await now();
    const first = await testDatabase.connect();
    await first.query("begin");
    await first.query("select pg_current_xact_id()");
    await append(testDatabase, "one");
    await append(first, "two");
    await first.query("commit");
    expect(await readAll({ seen: start }, await now())).toEqual(["one", "two"]);
  });

  test("neither stalls nor repeats while a transaction is left open", async () => {
    const start = await now();
    const open = await inOpenTransaction("left-open");
    let seen = start;
    const ids: string[] = [];
    for (const id of ["a", "b", "c"]) {
      await append(testDatabase, id);
      const until = await now();
      ids.push(...(await readAll({ seen }, until)));
      seen = until;
    }
    expect(ids).toEqual(["a", "b", "c"]);
    await open.query("commit");
    expect(await readAll({ seen }, await now())).toEqual(["left-open"]);
  });

  test("knows what a part of a transaction appended by its transaction, and nothing of what was rolled back", async () => {
    const start = await now();
    const session = await testDatabase.connect();
    await session.query("begin");
    await session.query("savepoint one");
    await append(session, "in-a-savepoint");
    await session.query("release one");
    await session.query("savepoint two");
    await append(session, "rolled-back");
    await session.query("rollback to two");
    const open = await now();
    expect(await readAll({ seen: start }, open)).toEqual([]);
    await session.query("commit");
    expect(await readAll({ seen: open }, await now())).toEqual(["in-a-savepoint"]);
    expect(await readAll({ seen: start }, await now())).toEqual(["in-a-savepoint"]);
  });

  test("continues in the middle of a large transaction, and looks at a part of it at a time", async () => {
    const start = await now();
    await testDatabase.query(appendMany(25_000, "many"));
    const { moment: until, events, span } = await feed.look(start, signal);
    expect([events, span && span.last - span.first]).toEqual([undefined, 24_999n]);
    const { first, last } = span as { first: bigint; last: bigint };
    const sending = { until, after: first - 1n, last };
    const one = await feed.read(everything, [], { seen: start, sending }, signal);
    expect(one.events.map(({ authorizationId }) => authorizationId)).toEqual(
      Array.from({ length: 1_000 }, (_, n) => `many-${n + 1}`),
    );
    expect(one.position).toEqual({ seen: start, sending: { until, after: first + 999n, last } });
    // Changes in between come later.
    await append(testDatabase, "in-between");
    const { seen, sending: rest } = one.position;
    const two = await feed.read(everything, [], { seen, sending: rest as typeof sending }, signal);
    expect(two.events[0]?.authorizationId).toBe("many-1001");
    const none = [{ kind: "userId", id: "bob" } as const];
    const skipped = await feed.read(everything, none, { seen: start, sending }, signal);
    expect(skipped).toEqual({
      events: [],
      position: { seen: start, sending: { until, after: first + 19_999n, last } },
    });
    expect(await readAll({ seen: start }, until)).toHaveLength(25_000);
    expect(await readAll({ seen: until }, await now())).toEqual(["in-between"]);
  });

  test("reads about 1 MiB at a time", async () => {
    const start = await now();
    const keys = "(select array_agg(repeat('x', 190) || k order by k) from generate_series(1001, 2000) k)";
    await testDatabase.query(appendMany(12, "large").replace("'{}'", keys));
    const { moment: until, span } = await feed.look(start, signal);
    const { first, last } = span as { first: bigint; last: bigint };
    const sending = { until, after: first - 1n, last };
    const { events, position } = await feed.read(everything, [], { seen: start, sending }, signal);
    expect(events.length).toBeGreaterThan(0);
    expect(events.length).toBeLessThan(7);
    expect(position.sending?.after).toBe(first + BigInt(events.length) - 1n);
    expect(await readAll({ seen: start }, until)).toHaveLength(12);
  });

  test.each([
    ["an entry on the instance", [{ scope: { kind: "instance", id: "" }, roles: ["IAM_OWNER_VIEWER"] }]],
    ["one on the organization", [{ scope: { kind: "organization", id: "acme" }, roles: ["ORG_OWNER_VIEWER"] }]],
    ["one on another organization", [{ scope: { kind: "organization", id: "globex" }, roles: ["ORG_OWNER"] }]],
    ["none", []],
  ] as const)("shows the events of others to all alike who have %s", async (_, entries) => {
    const start = await now();
    await append(testDatabase, "of-ann");
    const until = await now();
    const { first, last } = (await feed.span(start, until, signal)) as { first: bigint; last: bigint };
    const position = { seen: start, sending: { until, after: first - 1n, last } };
    const read = (userId: string) => feed.read({ userId, entries }, [], position, signal);
    const [bob, cat, nobody, ann] = await Promise.all(["bob", "cat", "", "ann"].map(read));
    expect([bob, cat]).toEqual([nobody, nobody]);
    expect(ann?.events).toHaveLength(1);
  });

  test("takes events of another cluster for old, whatever their transactions are", async () => {
    const start = await now();
    const restored = { "looks-new": start.next, "looks-later": start.next + 1_000_000n };
    await testDatabase.query("alter table events disable trigger user");
    for (const [id, transaction] of Object.entries(restored)) {
      await append(testDatabase, id);
      await testDatabase.query("update events set system = 1, transaction = $2 where authorization_id = $1", [
        id,
        transaction,
      ]);
    }
    await testDatabase.query("alter table events enable trigger user");
    await append(testDatabase, "own");
    const until = await now();
    expect(await readAll({ seen: start }, until)).toEqual(["own"]);
    expect(await readAll({ seen: undefined }, until)).toEqual(
      expect.arrayContaining([...Object.keys(restored), "own"]),
    );
  });

  test("looks neither at what open transactions have appended, nor at what has higher numbers in another cluster", async () => {
    const start = await now();
    const open = await testDatabase.connect();
    await open.query("begin");
    await open.query(appendMany(3_000, "open"));
    await append(testDatabase, "own");
    const restoring = await testDatabase.connect();
    await restoring.query("set authorization_service.system = 1");
    await restoring.query(appendMany(3_000, "restored", "(pg_current_xact_id()::text::bigint + 1000000)::text::xid8"));
    await restoring.query("vacuum analyze events");
    const statements: Statement[] = [];
    const noting = {
      ...database,
      query<Row extends object>(statement: Statement, given: AbortSignal) {
        statements.push(statement);
        return database.query<Row>(statement, given);
      },
    };
    expect((await postgresFeed(noting).look(start, signal)).events).toMatchObject([{ authorizationId: "own" }]);
    expect((await examine(restoring, statements[0] as Statement, false)).rows).toBeLessThan(100);
    await open.query("rollback");
  });

  test("is not continued on another timeline, in another database, or before a time that was restored", async () => {
    const start = await now();
    const refused = { reason: "RESUME_TOKEN_EXPIRED" };
    for (const seen of [
      { ...start, source: "another" },
      { ...start, next: start.next + 1_000_000n },
    ]) {
      await expect(feed.look(seen, signal)).rejects.toMatchObject(refused);
      await expect(feed.span(seen, start, signal)).rejects.toMatchObject(refused);
      const sending = { until: start, after: 0n, last: 1n };
      await expect(feed.read(everything, [], { seen, sending }, signal)).rejects.toMatchObject(refused);
      await expect(
        feed.read(everything, [], { seen: start, sending: { ...sending, until: seen } }, signal),
      ).rejects.toMatchObject(refused);
    }
  });

  test("is continued after an archive run only if everything that was archived had been sent", async () => {
    const refused = { reason: "RESUME_TOKEN_EXPIRED" };
    const before = await now();
    await append(testDatabase, "archived");
    // A transaction of another test that runs longer could have had something to archive, too, as far as a moment can tell.
    const after = await until("nothing else to run", async () => {
      const moment = await now();
      return moment.running.length === 0 && moment;
    });
    await append(testDatabase, "kept");
    const span = await feed.span(before, after, signal);
    const [cut] = await testDatabase.query<{ cut: string }>("select max(sequence) as cut from events");
    const client = await testDatabase.connect();
    await stopKeeping(client, { event: String(cut?.cut), directoryEvent: "0" });
    await expect(feed.span(before, await now(), signal)).rejects.toMatchObject(refused);
    await expect(feed.look(before, signal)).rejects.toMatchObject(refused);
    expect(await readAll({ seen: after }, await now())).toEqual(["kept"]);
    expect((await readAll({ seen: undefined }, await now()))[0]).toBe("kept");
    const sending = { until: after, after: 0n, last: span?.last ?? 0n };
    await expect(feed.read(everything, [], { seen: before, sending }, signal)).rejects.toMatchObject(refused);
    const sent = { ...sending, after: sending.last };
    expect(await feed.read(everything, [], { seen: before, sending: sent }, signal)).toMatchObject({ events: [] });
  });
});
