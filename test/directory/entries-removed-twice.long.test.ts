import { beforeEach, expect, test } from "vitest";
import { applyChanges, entry, organization, project, projectGrant, remove } from "../support/changes.ts";
import { clearEverything } from "../support/clear-everything.ts";
import { expectDirectoryHistory } from "../support/directory-history.ts";
import { serverWithoutDeadlocks } from "../support/fresh-worlds.ts";
import { hold } from "../support/locks.ts";
import type { TestServer } from "../support/server.ts";
import { user } from "../support/world.ts";

let server: TestServer;
let owners: { one: string; two: string };

serverWithoutDeadlocks((given) => {
  server = given;
});

/** A user of one organization with entries in another one. */
beforeEach(async () => {
  const { database } = server;
  await database.query(clearEverything);
  await database.load(
    ...["home", "one", "two", "three"].map((id) => organization(id)),
    ...["one", "two"].flatMap((id) => [
      user(`owner-of-${id}`, "home"),
      entry(`owner-of-${id}`, { organizationId: id }, "ORG_OWNER"),
    ]),
    ...[project("yard", "one"), projectGrant("out", "yard", "three"), project("stall", "two")],
    user("guest", "two"),
    { authorization: { id: "held", userId: "guest", projectId: "stall", organizationId: "two", roleKeys: [] } },
  );
  owners = { one: await database.token("owner-of-one"), two: await database.token("owner-of-two") };
});

const scopes = [
  [{ organizationId: "one" }, "ORG_OWNER_VIEWER"],
  [{ projectId: "yard" }, "PROJECT_OWNER_VIEWER"],
  [{ projectGrantId: "out" }, "PROJECT_GRANT_OWNER"],
] as const;
const leavings = [{ userId: "guest" }, { organizationId: "two" }];

test.each(
  scopes.flatMap(([scope, role]) =>
    leavings.flatMap((leaving) => [true, false].map((first) => [scope, leaving, first, role] as const)),
  ),
)(
  "An entry on %j is removed once, also if %j is removed at the same time; the scope first: %s",
  async (...[scope, leaving, first, role]) => {
    const { database } = server;
    await database.load(entry("guest", scope, role));
    const held = await hold(database, "lock table directory_events in share row exclusive mode");
    const removals = [
      () => applyChanges(server, owners.one, [remove(scope)]),
      () => applyChanges(server, owners.two, [remove(leaving)]),
    ];
    const [earlier, later] = first ? removals : removals.toReversed();
    const answers = [earlier?.()];
    await held.untilWaiting(1);
    answers.push(later?.());
    // The later one waits for the earlier one, or for the table.
    await held.untilWaiting(2);
    await held.commit();
    expect((await Promise.all(answers)).map((answer) => answer?.status)).toEqual([200, 200]);
    const removed = await database.query(
      "select count(*)::integer as count from directory_events where kind = 'administrator' and id = 'guest' and after is null",
    );
    expect(removed).toEqual([{ count: 1 }]);
    await expectDirectoryHistory(database);
  },
);

test("An organization with two entries of a user, and that user, are removed at the same time without a deadlock", async () => {
  const { database } = server;
  await database.load(
    entry("guest", { organizationId: "one" }, "ORG_OWNER_VIEWER"),
    entry("guest", { projectId: "yard" }, "PROJECT_OWNER_VIEWER"),
  );
  const held = await hold(database, "select from authorizations where id = 'held' for update");
  const user = applyChanges(server, owners.two, [remove({ userId: "guest" })]);
  await held.untilWaiting(1);
  const scope = applyChanges(server, owners.one, [remove({ organizationId: "one" })]);
  await held.untilWaiting(2);
  await held.commit();
  expect([(await user).status, (await scope).status]).toEqual([200, 200]);
  await expectDirectoryHistory(database);
});
