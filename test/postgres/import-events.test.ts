import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSmallWorld, type TestDatabase } from "../support/database.ts";
import { eventsOf } from "../support/events.ts";
import { expectInvariants } from "../support/invariants.ts";
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

/** Runs an import and says which of the dates it made are of the time it ran in. */
async function duringImport(...changes: object[]): Promise<(instant: bigint) => boolean> {
  const now = async () => (await database.query<{ now: bigint }>("select clock_timestamp() as now"))[0]?.now ?? 0n;
  const before = await now();
  await database.import(...changes);
  const after = await now();
  return (instant) => before <= instant && instant <= after;
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

const depot = { projectId: "depot", organizationId: "acme" };

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

  test("absent ones mean now for a new authorization, the same for both", async () => {
    const isNow = await duringImport({
      authorization: { id: "x", userId: "ann", projectId: "depot", organizationId: "acme" },
    });
    const { creation, change } = await datesOf("x");
    expect(isNow(creation)).toBe(true);
    expect(change).toBe(creation);
    expect(await lastEventTime("x")).toBe(change);
  });

  test("an absent change date of a new authorization is its creation date", async () => {
    for (const [userId, creationDate] of [
      ["ann", "2024-02-01T00:00:00Z"],
      ["bob", "2999-01-01T00:00:00Z"],
    ] as const) {
      await database.import({ authorization: { ...depot, id: userId, userId, creationDate } });
      expect(await datesOf(userId)).toEqual({ creation: micros(creationDate), change: micros(creationDate) });
      expect(await lastEventTime(userId)).toBe(micros(creationDate));
    }
  });

  test("an absent creation date of a new authorization is now, or its change date when that is earlier", async () => {
    const earlier = "2024-02-01T00:00:00Z";
    await database.import({ authorization: { ...depot, id: "x", userId: "ann", changeDate: earlier } });
    expect(await datesOf("x")).toEqual({ creation: micros(earlier), change: micros(earlier) });
    expect(await lastEventTime("x")).toBe(micros(earlier));
    const later = "2999-01-01T00:00:00Z";
    const isNow = await duringImport({ authorization: { ...depot, id: "y", userId: "bob", changeDate: later } });
    const { creation, change } = await datesOf("y");
    expect([isNow(creation), change]).toEqual([true, micros(later)]);
    expect(await lastEventTime("y")).toBe(creation);
  });

  test("one that was changed after its creation keeps both dates, with one event of its creation", async () => {
    const dates = { creationDate: "2024-01-01T00:00:00Z", changeDate: "2024-09-12T00:00:00Z" };
    await database.import({ authorization: { ...depot, id: "x", userId: "ann", ...dates } });
    expect(await datesOf("x")).toEqual({ creation: micros(dates.creationDate), change: micros(dates.changeDate) });
    expect(await eventsOf(database, "x")).toMatchObject([{ type: "user.grant.added", time: dates.creationDate }]);
    await expectInvariants(database);
  });

  test("an absent creation date leaves the stored one, and an absent change date means now if anything changes", async () => {
    const isNow = await duringImport(a4({ roleKeys: [] }));
    const { creation, change } = await datesOf("a4");
    expect(creation).toBe(micros("2024-01-04T00:00:00Z"));
    expect(isNow(change)).toBe(true);
  });

  test("a change date that is not later than the stored one counts as now if anything changes", async () => {
    for (const [roleKeys, changeDate] of [
      [["seller"], "2024-01-04T00:00:00Z"],
      [[], "2000-01-01T00:00:00Z"],
    ]) {
      const isNow = await duringImport(a4({ roleKeys, changeDate }));
      expect(isNow((await datesOf("a4")).change)).toBe(true);
    }
  });

  test("a creation date alone that is later than the change would be makes the change as late", async () => {
    const creationDate = "2999-01-01T00:00:00Z";
    await database.import(a4({ creationDate }));
    expect(await datesOf("a4")).toEqual({ creation: micros(creationDate), change: micros(creationDate) });
    expect(await lastEventTime("a4")).toBe(micros(creationDate));
    await expectInvariants(database);
  });

  test("a creation date alone that has passed leaves the change to be of now, however much later than the stored one", async () => {
    const creationDate = "2024-06-01T00:00:00Z";
    const isNow = await duringImport(a4({ creationDate }));
    const { creation, change } = await datesOf("a4");
    expect([creation, isNow(change)]).toEqual([micros(creationDate), true]);
  });

  test("a change date alone that is before the stored creation date counts as now if anything changes", async () => {
    const isNow = await duringImport(a4({ changeDate: "2024-01-03T00:00:00Z", roleKeys: [] }));
    const { creation, change } = await datesOf("a4");
    expect([creation, isNow(change)]).toEqual([micros("2024-01-04T00:00:00Z"), true]);
  });

  test("the change date rises even when the stored one lies in the future", async () => {
    await database.import(a4({ changeDate: "2999-01-01T00:00:00Z" }));
    await database.import(a4({ roleKeys: [] }));
    expect((await datesOf("a4")).change).toBe(micros("2999-01-01T00:00:00Z") + 1n);
    expect((await eventsOf(database, "a4")).map(({ time }) => time)).toEqual([
      "2024-01-04T00:00:00Z",
      "2999-01-01T00:00:00Z",
      "2999-01-01T00:00:00.000001Z",
    ]);
  });
});
