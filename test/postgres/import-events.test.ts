import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSmallWorld, type TestDatabase } from "../support/database.ts";
import { eventsOf } from "../support/events.ts";
import { countEvents, stored } from "../support/stored.ts";
import { authorization, smallWorld, user } from "../support/world.ts";

let database: TestDatabase;

beforeEach(async () => {
  database = await createSmallWorld();
});
afterEach(() => database.drop());

/** Creation and change date in microseconds, as they are stored. */
async function datesOf(id: string): Promise<{ creation: bigint; change: bigint }> {
  const rows = await database.query<{ creation: bigint; change: bigint }>(
    "select creation_date as creation, change_date as change from authorizations where id = $1",
    [id],
  );
  return rows[0] ?? { creation: 0n, change: 0n };
}

async function lastEventTime(id: string): Promise<bigint | undefined> {
  const rows = await database.query<{ time: bigint }>(
    "select time from events where authorization_id = $1 order by sequence desc limit 1",
    [id],
  );
  return rows[0]?.time;
}

const micros = (text: string) => BigInt(Date.parse(text)) * 1000n;
const a4 = (fields: object) => ({
  authorization: {
    id: "a4",
    userId: "bob",
    projectId: "shop",
    organizationId: "globex",
    roleKeys: ["auditor", "seller"],
    ...fields,
  },
});

describe("the plain event of an authorization that is named", () => {
  test("added: without an actor, at its creation date, with its current roles", async () => {
    expect(await eventsOf(database, "a4")).toEqual([
      {
        type: "user.grant.added",
        time: "2024-01-04T00:00:00Z",
        actor_id: null,
        user_id: "bob",
        project_id: "shop",
        organization_id: "globex",
        project_grant_id: "shop-to-globex",
        role_keys: ["auditor", "seller"],
        state: "active",
      },
    ]);
    expect(await eventsOf(database, "a5")).toMatchObject([{ type: "user.grant.added", state: "inactive" }]);
  });

  test.each<[what: string, line: object, expected: { type: string; role_keys: string[]; state: string }]>([
    [
      "changed: its roles are others",
      a4({ roleKeys: ["seller"] }),
      { type: "user.grant.changed", role_keys: ["seller"], state: "active" },
    ],
    [
      "changed: it has no roles any more",
      a4({ roleKeys: [] }),
      { type: "user.grant.changed", role_keys: [], state: "active" },
    ],
    [
      "deactivated: its state alone is another",
      a4({ state: "STATE_INACTIVE" }),
      { type: "user.grant.deactivated", role_keys: ["auditor", "seller"], state: "inactive" },
    ],
    [
      "changed, and only once: its roles and its state are others",
      a4({ roleKeys: ["auditor"], state: "STATE_INACTIVE" }),
      { type: "user.grant.changed", role_keys: ["auditor"], state: "inactive" },
    ],
    [
      "changed: its creation date is another",
      a4({ creationDate: "2023-01-01T00:00:00Z" }),
      { type: "user.grant.changed", role_keys: ["auditor", "seller"], state: "active" },
    ],
    [
      "changed: its change date is a later one",
      a4({ changeDate: "2024-06-01T00:00:00Z" }),
      { type: "user.grant.changed", role_keys: ["auditor", "seller"], state: "active" },
    ],
  ])("%s", async (_what, line, expected) => {
    await database.import(line);
    const events = await eventsOf(database, "a4");
    expect(events.slice(1)).toMatchObject([{ ...expected, actor_id: null }]);
    expect(await lastEventTime("a4")).toBe((await datesOf("a4")).change);
    expect(await countEvents(database)).toBe(7);
  });

  test("reactivated: it was inactive", async () => {
    await database.import(authorization("a5", "bea", "shop", "globex", ["seller"], "2024-01-05T00:00:00Z"));
    expect((await eventsOf(database, "a5")).at(-1)).toMatchObject({ type: "user.grant.reactivated", state: "active" });
  });
});

describe("no event and no new change date", () => {
  test("when the same lines are imported again", async () => {
    const before = await stored(database);
    await database.import(...smallWorld);
    expect(await stored(database)).toEqual(before);
    expect(await countEvents(database)).toBe(6);
  });

  test("when a line says the same in other words: roles in another order, neither state nor dates", async () => {
    const before = await stored(database);
    await database.import(a4({ roleKeys: ["seller", "auditor"] }));
    await database.import({
      authorization: { id: "a5", userId: "bea", projectId: "shop", organizationId: "globex", roleKeys: ["seller"] },
    });
    await database.import({ authorization: { id: "a3", userId: "adam", projectId: "depot", organizationId: "acme" } });
    expect(await stored(database)).toEqual(before);
    expect(await countEvents(database)).toBe(6);
  });

  test("when the change date of the line is an earlier one and nothing else differs", async () => {
    const before = await stored(database);
    await database.import(a4({ changeDate: "2024-01-03T23:59:59.999999Z" }));
    expect(await stored(database)).toEqual(before);
    expect(await countEvents(database)).toBe(6);
  });

  test("when only what authorizations point at changes", async () => {
    await database.import(user("bob", "initech", "Robert"), {
      project: { id: "shop", organizationId: "acme", name: "!" },
    });
    expect(await countEvents(database)).toBe(6);
  });
});

describe("dates", () => {
  test("given ones are stored to the microsecond, in all years there are", async () => {
    await database.import(
      {
        authorization: {
          id: "x",
          userId: "ann",
          projectId: "depot",
          organizationId: "acme",
          creationDate: "0001-01-01T00:00:00Z",
          changeDate: "9999-12-30T23:59:59.999999Z",
        },
      },
      {
        authorization: {
          id: "y",
          userId: "bob",
          projectId: "depot",
          organizationId: "acme",
          creationDate: "1969-12-31T23:59:59.999999Z",
          changeDate: "2024-02-29T23:30:00.000001-01:00",
        },
      },
    );
    expect(await datesOf("x")).toEqual({ creation: -62_135_596_800_000_000n, change: 253_402_214_399_999_999n });
    expect(await datesOf("y")).toEqual({ creation: -1n, change: micros("2024-03-01T00:30:00Z") + 1n });
  });
});
