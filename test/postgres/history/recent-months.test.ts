import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EventFilter } from "../../../src/authorization/history.ts";
import type { AdministratorRole, Caller, Scope } from "../../../src/authorization/permissions.ts";
import type { DirectoryEventFilter } from "../../../src/directory/history.ts";
import { type Database, openDatabase } from "../../../src/postgres/database/database.ts";
import { listDirectoryEvents } from "../../../src/postgres/history/list-directory-events.ts";
import { listEvents } from "../../../src/postgres/history/list-events.ts";
import { type RecentMonths, recentMonths } from "../../../src/postgres/history/recent-months.ts";
import { dropArchived, monthsBefore, stopKeeping } from "../../../src/postgres/retention/archive.ts";
import { beginMonth } from "../../../src/postgres/retention/months.ts";
import { appendEvents } from "../../support/append-events.ts";
import { createSmallWorld, type TestDatabase } from "../../support/database.ts";
import { addDirectoryEvents } from "../../support/directory-events.ts";
import { inMonth } from "../../support/months.ts";
import { until } from "../../support/until.ts";

let test_: TestDatabase;
let database: Database;
/** The statements that were sent. */
let sent: string[] = [];

const signal = new AbortController().signal;
const lookBack = () => beginMonth({ connectionString: test_.url });
const monthsKept = 13;

/** The month so long ago, and times in it. */
const monthAgo = (months: number) => {
  const now = new Date();
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1));
  return {
    name: first.toISOString().slice(0, 7),
    at: (day: number, second = 0) => new Date(first.getTime() + (day * 86_400 + second) * 1_000).toISOString(),
  };
};

/** Appends about a dozen events of each history to a month. Some of one time, one from years ago, and one from a day after. */
async function fill(months: number): Promise<void> {
  const { at, name } = monthAgo(months);
  const work = async () => {
    const times = Array.from({ length: 10 }, (_, n) =>
      n === 3 ? "2020-02-02Z" : n === 4 ? at(32) : at(n / 3, n >> 2),
    );
    if (months === 0) times[4] = at(0);
    const rows = times.map(
      (time, n) =>
        `('${name}-${n}', '${n % 4 ? "user.grant.changed" : "user.grant.added"}', '${time}'::timestamptz, ${n % 3 ? "'root'" : "null"}, '${["ann", "bob", "cid"][n % 3]}', '${["shop", "depot"][n % 2]}', '${["acme", "globex"][n % 2]}', '', '{}'::text[], 'active'::authorization_state)`,
    );
    await test_.query(appendEvents(`values ${rows.join(", ")}`));
    await addDirectoryEvents(
      test_,
      ...(times.map((time, n) => ({
        ...{ kind: n % 2 ? "project" : "user", id: `${name}-${n % 4}`, userId: n % 2 ? undefined : "bob", time },
        ...{ after: { n }, actorId: n % 3 ? "root" : null },
        places: [["organization", n % 2 ? "acme" : "globex"] as const],
      })) as []),
    );
  };
  await (months === 0 ? work() : inMonth(test_, name, work));
}

beforeAll(async () => {
  test_ = await createSmallWorld();
  for (let months = monthsKept; months >= 0; months -= 1) await fill(months);
  // Events of an organization without any others since long ago.
  await inMonth(test_, monthAgo(monthsKept - 1).name, () =>
    test_.query(
      appendEvents(`
        select 'old' || n, 'user.grant.removed', '${monthAgo(monthsKept - 1).at(20)}'::timestamptz + n / 2 * interval '1 second', 'root', 'cid',
          'shop', 'initech', '', '{}'::text[], null::authorization_state from generate_series(1, 30) n`),
    ),
  );
  await lookBack();
  // Transactions of other test files in the same cluster can make it take longer.
  await until("the past to be known", async () => {
    await lookBack();
    return (await test_.query("select from past_months where latest is null")).length === 0;
  });
  const opened = openDatabase({
    ...{ connection: { connectionString: test_.url }, poolSize: 2, statementTimeoutMs: 60_000, onIdleError: () => {} },
  });
  database = {
    ...opened,
    query: (statement, signal) => {
      sent.push(statement.text);
      return opened.query(statement, signal);
    },
  };
});
afterAll(async () => {
  await database.close();
  await test_.drop();
});

const holding = (userId: string, role: AdministratorRole, ...scopes: Scope[]): Caller => ({
  userId,
  entries: scopes.map((scope) => ({ scope, roles: [role] })),
});
const callers: Record<string, Caller> = {
  everything: holding("root", "IAM_OWNER", { kind: "instance" }),
  "everything but tokens": holding("ann", "IAM_OWNER_VIEWER", { kind: "instance" }),
  "an organization": holding("bob", "ORG_OWNER", { kind: "organization", organizationId: "acme" }),
  "an organization with old events only": holding("bob", "ORG_OWNER", {
    kind: "organization",
    organizationId: "initech",
  }),
  "several organizations": holding(
    "cid",
    "ORG_OWNER",
    ...["acme", "globex", "initech"].map((organizationId) => ({ kind: "organization", organizationId }) as const),
  ),
  "a project": holding("ann", "PROJECT_OWNER", { kind: "project", projectId: "shop" }),
  "only its own": { userId: "bob", entries: [] },
};
const page = { offset: 0n, limit: 7, ascending: false, skipTotal: false };
const none: RecentMonths = async () => [];

const ofAssignments = {
  filterings: [
    [],
    [{ kind: "types", types: ["user.grant.removed"] }],
    [{ kind: "types", types: ["user.grant.added", "user.grant.changed"] }],
    [{ kind: "organizationId", id: "acme" }],
    [{ kind: "organizationId", id: "initech" }],
    [{ kind: "projectId", id: "shop" }],
    [{ kind: "userId", id: "cid" }],
    [{ kind: "actorId", id: "" }],
    [{ kind: "time", range: { from: 0n } }],
  ] as EventFilter[][],
  list: (months: RecentMonths, caller: Caller, query: object) =>
    listEvents(database, months, caller, { ...page, filters: [], ...query }, signal),
};
const ofDirectory = {
  filterings: [
    [],
    [{ kind: "types", types: ["project"] }],
    [{ kind: "organizationId", id: "globex" }],
    [{ kind: "organizationId", id: "initech" }],
    [{ kind: "userId", id: "bob" }],
    [{ kind: "actorId", id: "" }],
    [{ kind: "id", id: `${monthAgo(9).name}-1` }],
  ] as DirectoryEventFilter[][],
  list: (months: RecentMonths, caller: Caller, query: object) =>
    listDirectoryEvents(database, months, caller, { ...page, filters: [], ...query }, signal),
};

/** Of the statements that were sent, from which months each reads its page. */
const ranges = () =>
  sent
    .filter((text) => text.includes("candidates"))
    .map((text) => /where sequence >= (\d{6})0{10}\)/.exec(text)?.[1] ?? "all");

describe.each(Object.entries({ assignments: ofAssignments, "the directory": ofDirectory }))(
  "The newest events of %s",
  (_history, { list, filterings }: typeof ofAssignments | typeof ofDirectory) => {
    const months = () => recentMonths(database);

    test.each(Object.keys(callers))(
      "are the same as those from all months, for a caller that sees %s",
      async (name) => {
        const caller = callers[name] ?? expect.unreachable();
        const recent = months();
        for (const filters of filterings) {
          for (const [limit, offset, skipTotal] of [
            [9, 0n, false],
            [40, 25n, true],
          ] as const) {
            let after: unknown;
            for (let pages = 0; pages < 3; pages += 1) {
              const query = { filters, limit, offset, skipTotal, after };
              const whole = await list(none, caller, query);
              expect(await list(recent, caller, query)).toEqual(whole);
              after = whole.events.at(-1);
              if (!whole.more) break;
            }
          }
        }
        const ascending = { ascending: true, limit: 20 };
        expect(await list(recent, caller, ascending)).toEqual(await list(none, caller, ascending));
      },
    );

    test("are read from the last weeks if these have a whole page, and otherwise from half a year or all months", async () => {
      const recent = months();
      const caller = callers.everything ?? expect.unreachable();
      await list(recent, caller, {});
      const read = async (query: object) => {
        sent = [];
        await list(recent, caller, query);
        return ranges();
      };
      const [weeks = "", half = ""] = [7, 182].map((days) => {
        const before = new Date(Date.now() - days * 86_400_000);
        return before.toISOString().slice(0, 7).replace("-", "");
      });
      expect(await read({ limit: 2 })).toEqual([expect.stringMatching(/^\d+$/)]);
      const [first = ""] = await read({ limit: 2 });
      expect(first >= monthAgo(2).name.replace("-", "") && first <= weeks).toBe(true);
      const [of40weeks, of40half = "", ...others] = await read({ limit: 40 });
      expect([of40weeks, others]).toEqual([first, []]);
      expect(of40half < first && of40half <= half).toBe(true);
      expect(await read({ limit: 1_000 })).toEqual([first, "all"]);
      expect(await read({ limit: 2, after: { time: 0n, sequence: "1" } })).toEqual(["all"]);
      expect(await read({ limit: 2, ascending: true })).toEqual(["all"]);
    });
  },
);

test("A caller that leaves while the months are looked for leaves that to the next one", async () => {
  let asked = 0;
  const query = async () => {
    asked += 1;
    if (asked === 1) throw new Error("gone");
    return [];
  };
  const months = recentMonths({ ...database, query });
  await expect(months("events", signal)).rejects.toThrow("gone");
  for (let times = 0; times < 2; times += 1) expect(await months("events", signal)).toEqual([]);
  expect(asked).toBe(2);
});

test("A page token from before an archive continues with what is kept", async () => {
  const caller = callers.everything ?? expect.unreachable();
  const [before, recent] = [monthAgo(3).name, recentMonths(database)];
  const firsts = await Promise.all([ofAssignments, ofDirectory].map(({ list }) => list(recent, caller, { limit: 9 })));
  const client = await test_.connect();
  for (const month of await monthsBefore(client, before)) await stopKeeping(client, month);
  const compare = async () => {
    for (const [index, { list }] of [ofAssignments, ofDirectory].entries()) {
      const after = firsts[index]?.events.at(-1);
      let total = 0;
      for (let query: object = { after }; ; ) {
        const [found, whole] = [await list(recent, caller, query), await list(none, caller, query)];
        expect(found).toEqual(whole);
        total = whole.total;
        if (!whole.more) break;
        query = { after: whole.events.at(-1) };
      }
      const all = await list(none, caller, { limit: 1_000 });
      expect(all.events).toHaveLength(total);
      expect(all.events.filter(({ sequence }) => sequence < before.replace("-", ""))).toEqual([]);
    }
  };
  await compare();
  await dropArchived(client);
  await compare();
});
