import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { apply, applyChanges, entry, organization, project, remove } from "../support/changes.ts";
import { hold } from "../support/locks.ts";
import { expectRefusal } from "../support/refusals.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { until } from "../support/until.ts";
import { user } from "../support/world.ts";

// docs/reference/directory.md, "Directory changes".

let server: TestServer;
let mine: string;
let theirs: string;
const most = 20_000;

beforeAll(async () => {
  server = await startTestServer();
  const { database } = server;
  await database.load(
    ...["mine", "theirs"].flatMap((id) => [
      organization(id),
      user(`owner-of-${id}`, id),
      entry(`owner-of-${id}`, { organizationId: id }, "ORG_OWNER"),
      ...[1, 2, 3].map((index) => project(`${id}-${index}`, id)),
    ]),
    user("mate", "theirs"),
    organization("elsewhere"),
  );
  await database.query(`insert into projects select 'p' || n, 'elsewhere', 'P' from generate_series(1, ${most - 1}) n`);
  await database.query(`
    insert into administrators (user_id, project_id, roles)
    select 'mate', id, '{PROJECT_OWNER_VIEWER}' from projects where organization_id = 'elsewhere'`);
  await database.query("analyze");
  mine = await database.token("owner-of-mine");
  theirs = await database.token("owner-of-theirs");
});
afterAll(() => server.stop());

/** One entry is missing. */
beforeEach(async () => {
  await server.database.query("delete from administrators where user_id = 'mate' and home_id <> 'elsewhere'");
});

const give = (project: string, ...roles: string[]) => entry("mate", { projectId: project }, ...roles);
const refusal = (index: number) => ({
  ...{ status: 429, code: "resource_exhausted", reason: "TOO_MANY_ENTRIES" },
  metadata: {
    index: String(index),
    what: `user "mate" would have more than ${most} administrator entries`,
    maximum: String(most),
  },
});
const count = async () => (await server.database.query("select from administrators where user_id = 'mate'")).length;

test("A user may have 20,000 administrator entries and not one more", async () => {
  const [one, two] = [give("mine-1", "PROJECT_OWNER"), give("mine-2", "PROJECT_OWNER")];
  const held = await hold(server.database, "select pg_advisory_xact_lock(7206381402113)");
  for (const dryRun of [true, false]) {
    const changes = [project("mine-1", "mine"), one, two];
    expectRefusal(await server.callDirectory("ApplyChanges", { changes, dryRun }, { token: mine }), refusal(1));
  }
  await held.rollback();
  await apply(server, mine, one);
  expectRefusal(await applyChanges(server, mine, [two]), refusal(0));
  expect(await count()).toBe(most);
});

test("Then entries can be changed and removed, and others get theirs", async () => {
  await apply(server, mine, give("mine-1", "PROJECT_OWNER"));
  await apply(server, mine, give("mine-1", "PROJECT_OWNER_VIEWER"), give("mine-2"));
  await apply(server, mine, entry("owner-of-theirs", { projectId: "mine-1" }, "PROJECT_OWNER"));
  await apply(server, mine, give("mine-1"));
  await apply(server, mine, give("mine-1", "PROJECT_OWNER"));
  await apply(server, mine, remove({ administrator: { userId: "mate", projectId: "mine-1" } }));
  await apply(server, mine, give("mine-2", "PROJECT_OWNER"));
  expect(await count()).toBe(most);
});

test("Entries that the request removes still count", async () => {
  const taken = remove({ administrator: { userId: "mate", projectId: "mine-1" } });
  await apply(server, mine, give("mine-1", "PROJECT_OWNER"));
  expectRefusal(await applyChanges(server, mine, [taken, give("mine-2", "PROJECT_OWNER")]), refusal(1));
});

test("Of two organizations that give the last one at once, one does, and the other is refused", async () => {
  const held = await hold(server.database, "select pg_advisory_xact_lock(7206381402113)");
  const both = [
    applyChanges(server, mine, [give("mine-1", "PROJECT_OWNER")]),
    applyChanges(server, theirs, [give("theirs-1", "PROJECT_OWNER")]),
  ];
  // Each has found that there is room when it comes to this.
  await held.untilWaiting(1);
  await until("both to arrive", async () => (await server.openConnections()) >= 2);
  await held.rollback();
  const answers = await Promise.all(both);
  const [refused] = answers.filter(({ status }) => status !== 200);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 429]);
  if (refused !== undefined) expectRefusal(refused, refusal(0));
  expect(await count()).toBe(most);
});

test("An import has no such limit, and what it added can be changed", async () => {
  await server.database.import(give("mine-1", "PROJECT_OWNER"), give("mine-2", "PROJECT_OWNER"));
  expect(await count()).toBe(most + 1);
  await apply(server, mine, give("mine-2", "PROJECT_OWNER_VIEWER"));
  expectRefusal(await applyChanges(server, mine, [give("mine-3", "PROJECT_OWNER")]), refusal(0));
});
