import { expect, test } from "vitest";
import { readDate } from "../oracle/model/dates.ts";
import { administrator } from "../support/assign.ts";
import { hold } from "../support/locks.ts";
import { bodyOf, serveTests } from "../support/server.ts";
import { whileRepeating } from "../support/while-repeating.ts";
import { authorization, user } from "../support/world.ts";

const server = await serveTests({ smallWorld: true, poolSize: 10 });
const begin = "2024-01-01T00:00:00Z";

/** Which of these have ended, or how many, as an answer shows it. Fails if the answer contradicts itself. */
type Reader = (ids: readonly string[], token: string) => Promise<readonly string[] | number>;

const readers: Record<string, Reader> = {
  async list(ids, token) {
    return endedAmong(ids, await list(token));
  },
  async "list by change date"(ids, token) {
    const rows = await list(token, [], { sortingColumn: "AUTHORIZATION_FIELD_NAME_CHANGED_DATE" });
    const dates = rows.map(({ changeDate }) => readDate(changeDate));
    expect(dates).toEqual(dates.toSorted((a, b) => Number(b - a)));
    return endedAmong(ids, rows);
  },
  async "list of the active"(ids, token) {
    const rows = await list(token, [{ state: { state: "STATE_ACTIVE" } }]);
    expect(endedAmong(ids, rows)).toEqual([]);
    const shown = new Set(rows.map(({ id }) => id));
    return ids.filter((id) => !shown.has(id));
  },
  async "list of the inactive"(ids, token) {
    const rows = await list(token, [{ state: { state: "STATE_INACTIVE" } }]);
    const ended = endedAmong(ids, rows);
    expect(ended).toHaveLength(rows.filter(({ id }) => ids.includes(id)).length);
    return ended;
  },
  async CheckRoles(ids, token) {
    const place = { projectId: "shop", organizationId: "acme" };
    const items = ids.map((userId) => ({ userId, ...place, roleKeys: ["seller"] }));
    const { results } = await ask("CheckService/CheckRoles", { items }, token);
    return ids.filter((_, index) => results[index].success.held.length === 0);
  },
  async overview(ids, token) {
    const { totalResult, states, endingIn7Days, endingIn30Days } = await ask("OverviewService/GetOverview", {}, token);
    const [active, inactive] = ["STATE_ACTIVE", "STATE_INACTIVE"].map(
      (wanted) => states.find(({ state }: any) => state === wanted)?.count ?? 0,
    );
    // Whether they are counted by state or by end.
    expect({ all: active + inactive, withoutEnd: active - endingIn7Days, soon: endingIn7Days }).toEqual({
      ...{ all: totalResult, withoutEnd: withoutEnd.get(token), soon: endingIn30Days },
    });
    return ids.length - endingIn7Days;
  },
};

/** How many active ones without an end each caller sees. */
const withoutEnd = new Map<string, number>();

test.each([
  ["while their ends are written", "none"],
  ["while someone holds half of them, so that their ends can't be written", "half"],
])("assignments end at one moment for all readers, %s", async (_, held) => {
  const callers = await Promise.all([
    administrator(server.database, { instance: true, roles: ["IAM_OWNER"] }),
    administrator(server.database, { organizationId: "acme", roles: ["ORG_OWNER"] }),
    administrator(server.database, { projectId: "shop", roles: ["PROJECT_OWNER"] }),
  ]);
  for (const token of callers) {
    withoutEnd.set(token, (await list(token, [{ state: { state: "STATE_ACTIVE" } }])).length);
  }
  const ids = Array.from({ length: 60 }, (_, index) => `${held}-${index}`);
  await server.database.load(
    ...ids.map((id) => user(id, "initech")),
    ...ids.map((id) => authorization(id, id, "shop", "acme", ["seller"], begin)),
  );
  await server.database.query(
    `update authorizations a
     set expiration_date = now() + interval '300 milliseconds' + n * interval '30 milliseconds'
     from unnest($1::text[]) with ordinality as given (id, n) where a.id = given.id`,
    [ids],
  );
  const kept = held === "half" ? ids.filter((_, index) => index % 2 === 0) : [];
  const holder = await hold(server.database, "select from authorizations where id = any($1) for update", [kept]);
  /** What some answer has shown so far. */
  const ended = new Set<string>();

  async function keepReading(reader: Reader, token: string): Promise<void> {
    for (let count = 0; count < ids.length; ) {
      const before = [...ended];
      const found = await reader(ids, token);
      count = typeof found === "number" ? found : found.length;
      if (typeof found === "number") {
        expect(found).toBeGreaterThanOrEqual(before.length);
        continue;
      }
      expect(before.filter((id) => !found.includes(id))).toEqual([]);
      // All are written in their order if no one holds any.
      if (held === "none") expect(found).toEqual(ids.slice(0, count));
      for (const id of found) ended.add(id);
    }
  }

  await whileRepeating(server.settleEnds, () =>
    Promise.all(callers.flatMap((token) => Object.values(readers).map((reader) => keepReading(reader, token)))),
  );
  await holder.rollback();
  await server.settleEnds();
  const events = await server.database.query<{ id: string }>(
    "select authorization_id as id from events where type = 'user.grant.expired' and authorization_id = any($1)",
    [ids],
  );
  expect(events.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
});

function ask(rpc: string, request: object, token: string) {
  return bodyOf(server.callService(`authorization.v2.${rpc}`, request, { token }));
}

/** All rows that match. Fails if they are not as many as the total says. */
async function list(token: string, filters: object[] = [], more: object = {}): Promise<any[]> {
  const request = { filters, pagination: { limit: 1_000 }, ...more };
  const { pagination, authorizations } = await ask("AuthorizationService/ListAuthorizations", request, token);
  expect(pagination.totalResult).toBe(authorizations.length);
  return authorizations;
}

/** Fails if the state of a row, its `expired` and its change date don't agree. */
function endedAmong(ids: readonly string[], rows: readonly any[]): string[] {
  const found = new Map(rows.map((row) => [row.id, row]));
  const shown = ids.flatMap((id) => found.get(id) ?? []);
  const before = { state: "STATE_ACTIVE", expired: false, changeDate: begin };
  for (const { state, expired, changeDate, expirationDate } of shown) {
    const after = { state: "STATE_INACTIVE", expired: true, changeDate: expirationDate };
    expect({ state, expired, changeDate }).toEqual(expired ? after : before);
  }
  return shown.filter(({ expired }) => expired).map(({ id }) => id);
}
