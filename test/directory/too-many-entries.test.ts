import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { apply, applyChanges, entry, organization, project, projectGrant, remove } from "../support/changes.ts";
import { hold } from "../support/locks.ts";
import { expectRefusal } from "../support/refusals.ts";
import { serveTests } from "../support/server.ts";
import { until } from "../support/until.ts";
import { user } from "../support/world.ts";

// docs/reference/directory.md, "Directory changes".

const [most, mostInHome] = [1_000, 200];

/** Mate has all entries but one that a user may have, and the other one has all that a user may have in "full". */
const server = await serveTests();
const { database } = server;
await database.load(
  ...["mine", "theirs", "full"].flatMap((id) => [
    organization(id),
    user(`owner-of-${id}`, id),
    entry(`owner-of-${id}`, { organizationId: id }, "ORG_OWNER"),
    ...[1, 2, 3].map((index) => project(`${id}-${index}`, id)),
  ]),
  user("mate", "theirs"),
  user("other", "theirs"),
  projectGrant("to-full", "mine-1", "full"),
  projectGrant("from-full", "full-1", "mine"),
);
await database.query(`
  insert into organizations select 'e' || n, 'E' from generate_series(1, 4) n;
  insert into projects select 'p' || n, coalesce('e' || nullif(n % 5, 0), 'full'), 'P' from generate_series(1, 999) n;
  insert into projects select 'full-0', 'full', 'P';
  insert into administrators (user_id, project_id, roles)
  select 'mate', id, '{PROJECT_OWNER_VIEWER}'::text[] from projects where id ~ '^p[0-9]'
  union all
  select 'other', id, '{PROJECT_OWNER_VIEWER}' from projects where organization_id = 'full' and id ~ '^p|full-0';
  analyze`);
const mine = await database.token("owner-of-mine");
const theirs = await database.token("owner-of-theirs");

beforeEach(async () => {
  await server.database.query(
    "delete from administrators where user_id in ('mate', 'other') and home_id in ('mine', 'theirs')",
  );
});

const give = (projectId: string, ...roles: string[]) => entry("mate", { projectId }, ...roles);
const refusal = (
  index: number,
  what = `user "mate" would have more than ${most} administrator entries`,
  of = most,
) => ({
  ...{ status: 400, code: "failed_precondition", reason: "TOO_MANY_ENTRIES" },
  metadata: { index: String(index), what, maximum: String(of) },
});
const count = async () => (await server.database.query("select from administrators where user_id = 'mate'")).length;

describe("In all organizations together,", () => {
  test("a user may have 1,000 administrator entries and not one more", async () => {
    expect(await count()).toBe(most - 1);
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

  test("entries can then be changed and removed, and others get theirs", async () => {
    await apply(server, mine, give("mine-1", "PROJECT_OWNER"));
    await apply(server, mine, give("mine-1", "PROJECT_OWNER_VIEWER"), give("mine-2"));
    await apply(server, mine, entry("owner-of-theirs", { projectId: "mine-1" }, "PROJECT_OWNER"));
    await apply(server, mine, give("mine-1"));
    await apply(server, mine, give("mine-1", "PROJECT_OWNER"));
    await apply(server, mine, remove({ administrator: { userId: "mate", projectId: "mine-1" } }));
    await apply(server, mine, give("mine-2", "PROJECT_OWNER"));
    expect(await count()).toBe(most);
  });

  test("entries that the request removes still count", async () => {
    const taken = remove({ administrator: { userId: "mate", projectId: "mine-1" } });
    await apply(server, mine, give("mine-1", "PROJECT_OWNER"));
    expectRefusal(await applyChanges(server, mine, [taken, give("mine-2", "PROJECT_OWNER")]), refusal(1));
  });

  test("two organizations that give the last one at once don't both succeed", async () => {
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
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    if (refused !== undefined) expectRefusal(refused, refusal(0));
    expect(await count()).toBe(most);
  });

  test("an import may give no more either", async () => {
    const { database } = server;
    await expect(database.import(give("mine-1", "PROJECT_OWNER"), give("mine-2", "PROJECT_OWNER"))).rejects.toThrow(
      refusal(0).metadata.what,
    );
    await database.import(give("mine-1", "PROJECT_OWNER"));
    expect(await count()).toBe(most);
  });
});

describe("In one organization,", () => {
  const ofOther = (scope: object, ...roles: string[]) => entry("other", scope as never, ...roles);
  const inFull = refusal(
    0,
    `user "other" would have more than ${mostInHome} administrator entries in the organization "full"`,
    mostInHome,
  );
  let full: string;
  beforeAll(async () => {
    full = await server.database.token("owner-of-full");
  });

  test.each([
    ["on it", { organizationId: "full" }, "ORG_OWNER"],
    ["on one of its projects", { projectId: "full-1" }, "PROJECT_OWNER"],
    ["on a grant to it", { projectGrantId: "to-full" }, "PROJECT_GRANT_OWNER"],
  ])("a user may have 200 entries, and no other one %s", async (_, scope, role) => {
    expectRefusal(await applyChanges(server, full, [ofOther(scope, role)]), inFull);
    await expect(server.database.import(ofOther(scope, role))).rejects.toThrow(inFull.metadata.what);
  });

  test("a new project's entry counts for the organization that will own it", async () => {
    const changes = [ofOther({ projectId: "new" }, "PROJECT_OWNER"), project("new", "full")];
    expectRefusal(await applyChanges(server, full, changes), inFull);
  });

  test("an entry that moves there with its grant counts, and one that gets other roles doesn't", async () => {
    await database.load(project("old", "mine"), projectGrant("moving", "old", "theirs"));
    await database.load(ofOther({ projectGrantId: "moving" }, "PROJECT_GRANT_OWNER"));
    const changes = [
      ofOther({ projectGrantId: "moving" }, "PROJECT_GRANT_OWNER"),
      ...[remove({ projectId: "old" }), project("next", "mine"), projectGrant("moving", "next", "full")],
    ];
    await expect(database.import(...changes)).rejects.toThrow(inFull.metadata.what);
    await apply(server, full, ofOther({ projectId: "full-0" }, "PROJECT_OWNER"));
  });

  test("a grant of its project counts for the organization that it is granted to", async () => {
    await apply(server, mine, ofOther({ projectGrantId: "from-full" }, "PROJECT_GRANT_OWNER"));
  });

  test("others can still give the user theirs", async () => {
    await apply(server, mine, ofOther({ projectId: "mine-1" }, "PROJECT_OWNER"));
    await apply(server, theirs, ofOther({ organizationId: "theirs" }, "ORG_OWNER"));
  });
});
