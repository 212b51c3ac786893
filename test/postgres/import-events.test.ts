import { describe, expect, test } from "vitest";
import { toRfc3339 } from "../../src/authorization/instant.ts";
import { smallWorldOfTests } from "../support/database.ts";
import { type Event, eventsOf } from "../support/events.ts";
import { expectInvariants } from "../support/invariants.ts";
import { countEvents, stored } from "../support/stored.ts";
import { authorization, smallWorld, user } from "../support/world.ts";

const database = await smallWorldOfTests();
const now = "now";
const future = "2999-01-01T00:00:00Z";
/** The dates of an authorization that is there already, and others. */
const old = "2024-01-04T00:00:00Z";
const [before, after] = ["2023-01-01T00:00:00Z", "2024-09-12T00:00:00Z"];
const [firstDate, lastDate] = ["0001-01-01T00:00:00Z", "9999-12-30T23:59:59.999999Z"];

let made = 0;

/** An authorization of a new user. */
async function place(): Promise<{ id: string; userId: string; projectId: string; organizationId: string }> {
  made += 1;
  const [id, userId] = [`x-${made}`, `user-${made}`];
  await database.import(user(userId, "initech"));
  return { id, userId, projectId: "shop", organizationId: "globex" };
}

type Imported = { creation: string; change: string; event: Event | undefined };

/** Imports a line. Dates within the time of the import come back as `now`. */
async function importing(line: { id: string; roleKeys: string[] }): Promise<Imported> {
  const clock = async () => (await database.query<{ now: bigint }>("select clock_timestamp() as now"))[0]?.now ?? 0n;
  const known = (await eventsOf(database, line.id)).length;
  const start = await clock();
  await database.import({ authorization: line });
  const end = await clock();
  const [row] = await database.query<Record<"creation" | "change" | "time", bigint>>(
    `select creation_date as creation, change_date as change,
       (select time from events where authorization_id = a.id order by sequence desc limit 1) as time
     from authorizations a where id = $1`,
    [line.id],
  );
  const shown = (date = 0n) => (start <= date && date <= end ? now : toRfc3339(date));
  const [event, ...more] = (await eventsOf(database, line.id)).slice(known);
  expect(more).toEqual([]);
  return {
    creation: shown(row?.creation),
    change: shown(row?.change),
    event: event && { ...event, time: shown(row?.time) },
  };
}

describe("A new authorization is added without an actor, at its creation date,", () => {
  test.each<[dates: object, creation: string, change: string]>([
    [{}, now, now],
    [{ creationDate: after }, after, after],
    [{ creationDate: future }, future, future],
    [{ changeDate: after }, after, after],
    [{ changeDate: future }, now, future],
    [{ creationDate: old, changeDate: after }, old, after],
    [{ creationDate: firstDate, changeDate: lastDate }, firstDate, lastDate],
    [
      { creationDate: "1969-12-31T23:59:59.999999Z", changeDate: "2024-02-29T23:30:00.000001-01:00" },
      ...(["1969-12-31T23:59:59.999999Z", "2024-03-01T00:30:00.000001Z"] as const),
    ],
  ])("with %j", async (dates, creation, change) => {
    const line = await place();
    const imported = await importing({ ...line, roleKeys: ["seller", "auditor"], ...dates });
    const { userId: user_id, projectId: project_id, organizationId: organization_id } = line;
    const event = {
      ...{ type: "user.grant.added", time: creation, actor_id: null, user_id, project_id, organization_id },
      ...{ project_grant_id: "shop-to-globex", role_keys: ["auditor", "seller"], state: "active" },
    };
    expect(imported).toEqual({ creation, change, event });
    await expectInvariants(database);
  });
});

describe("Of an authorization that is there, a line", () => {
  const [all, active] = [["auditor", "seller"], "active"];

  test.each<[line: object, type: string, roleKeys: string[], state: string, change: string, creation?: string]>([
    [{ roleKeys: ["seller"] }, "changed", ["seller"], active, now],
    [{ roleKeys: [] }, "changed", [], active, now],
    [{ state: "STATE_INACTIVE" }, "deactivated", all, "inactive", now],
    [{ roleKeys: ["auditor"], state: "STATE_INACTIVE" }, "changed", ["auditor"], "inactive", now],
    [{ changeDate: after }, "changed", all, active, after],
    [{ changeDate: old, roleKeys: [] }, "changed", [], active, now],
    [{ changeDate: before, roleKeys: [] }, "changed", [], active, now],
    [{ creationDate: before }, "changed", all, active, now, before],
    [{ creationDate: after }, "changed", all, active, now, after],
    [{ creationDate: future }, "changed", all, active, future, future],
  ])("%j has the event %s with %j, %s", async (fields, type, role_keys, state, change, creation = old) => {
    const line = { ...(await place()), roleKeys: all };
    await database.import({ authorization: { ...line, creationDate: old, changeDate: old } });
    const event = { type: `user.grant.${type}`, time: change, role_keys, state, actor_id: null };
    expect(await importing({ ...line, ...fields })).toMatchObject({ creation, change, event });
    await expectInvariants(database);
  });

  test("activates it", async () => {
    await database.import(authorization("a5", "bea", "shop", "globex", ["seller"], "2024-01-05T00:00:00Z"));
    expect((await eventsOf(database, "a5")).at(-1)).toMatchObject({ type: "user.grant.reactivated", state: "active" });
    await database.import(
      authorization("a5", "bea", "shop", "globex", ["seller"], "2024-01-05T00:00:00Z", "STATE_INACTIVE"),
    );
  });

  test.each([
    ["says the same in another order, with neither a state nor dates", { roleKeys: ["seller", "auditor"] }],
    ["has an earlier change date and nothing else", { changeDate: "2024-01-03T23:59:59.999999Z" }],
    ["has the same change date", { changeDate: old }],
    ["is inactive, and has no state", { id: "a5", userId: "bea", roleKeys: ["seller"] }],
  ])("that %s changes nothing", async (_what, fields) => {
    const [known, events] = [await stored(database), await countEvents(database)];
    const a4 = { id: "a4", userId: "bob", projectId: "shop", organizationId: "globex", roleKeys: all };
    await database.import({ authorization: { ...a4, ...fields } });
    expect([await stored(database), await countEvents(database)]).toEqual([known, events]);
  });

  test("dates its change after a date that lies in the future", async () => {
    const line = { ...(await place()), roleKeys: all };
    await database.import({ authorization: { ...line, changeDate: future } });
    expect(await importing({ ...line, roleKeys: [] })).toMatchObject({ change: "2999-01-01T00:00:00.000001Z" });
  });
});

test("Neither importing the same lines again nor changing what they point at changes authorizations", async () => {
  const events = await countEvents(database);
  await database.import(...smallWorld);
  await database.import(user("bob", "initech", "Robert"), {
    project: { id: "shop", organizationId: "acme", name: "!" },
  });
  expect(await countEvents(database)).toBe(events);
});
