import { beforeEach, describe, expect, test } from "vitest";
import {
  apply,
  applyChanges,
  entry,
  organization,
  project,
  projectGrant,
  remove,
  removeRole,
} from "../support/changes.ts";
import { clearEverything } from "../support/clear-everything.ts";
import { expectDirectoryHistory } from "../support/directory-history.ts";
import { serverWithoutDeadlocks } from "../support/fresh-worlds.ts";
import { expectInvariants } from "../support/invariants.ts";
import { deadlocksIn, hold } from "../support/locks.ts";
import { expectNumbersTrue } from "../support/numbers.ts";
import { type Answer, errorInfo, type TestServer } from "../support/server.ts";
import { role, user } from "../support/world.ts";

// docs/explanation/consistency.md: an organization is removed beside changes of others.

let server: TestServer;
const tokens: Record<string, string> = {};

serverWithoutDeadlocks((given) => {
  server = given;
});

const organizations = ["gone", "giver", "third", "other", "empty"];

/** The organization to remove, one that grants it a project, one in whose project its user has a role, and another one. */
beforeEach(async () => {
  const { database } = server;
  await database.query(clearEverything);
  await database.load(
    organization("home"),
    ...organizations.map((id) => organization(id)),
    ...organizations.flatMap((id) => [
      user(`owner-of-${id}`, "home"),
      entry(`owner-of-${id}`, { organizationId: id }, "ORG_OWNER"),
    ]),
    user("root", "home"),
    entry("root", { instance: true }, "IAM_OWNER"),
    user("member", "gone"),
    user("stranger", "other"),
    user("bystander", "other"),
    ...[project("shop", "giver"), role("shop", "seller"), projectGrant("in", "shop", "gone", "seller")],
    ...[project("yard", "gone"), role("yard", "guard"), projectGrant("out", "yard", "other", "guard")],
    ...[project("stall", "third"), role("stall", "helper")],
    entry("member", { organizationId: "other" }, "ORG_OWNER_VIEWER"),
    entry("stranger", { organizationId: "gone" }, "ORG_OWNER_VIEWER"),
    entry("owner-of-other", { projectGrantId: "in" }, "PROJECT_GRANT_OWNER"),
    assigned("elsewhere", "member", "stall", "third", "helper"),
    assigned("granted", "stranger", "shop", "gone", "seller"),
    assigned("on-grant", "stranger", "yard", "other", "guard"),
  );
  for (const id of [...organizations.map((each) => `owner-of-${each}`), "root"]) tokens[id] = await database.token(id);
});

function assigned(id: string, userId: string, projectId: string, organizationId: string, ...roleKeys: string[]) {
  return { authorization: { id, userId, projectId, organizationId, roleKeys } };
}

const as = (id: string) => tokens[id] ?? expect.unreachable();
const send = (id: string, ...changes: object[]) => applyChanges(server, as(id), changes);
const removal = remove({ organizationId: "gone" });
const outcomeOf = (answer: Answer) => (answer.status === 200 ? "done" : errorInfo(answer)?.reason);

/** A removal of the organization that waits, behind all of its locks, until it is let go. */
async function underWay() {
  const held = await hold(server.database, "select from authorizations where id = 'elsewhere' for update");
  const removing = send("owner-of-gone", removal);
  await held.untilWaiting(1);
  return { held, removing };
}

/** Everyone who changes something waits until this ends, behind all locks. */
const stopAtEvents = () => hold(server.database, "lock table directory_events in share row exclusive mode");

async function expectSound(): Promise<void> {
  await expectDirectoryHistory(server.database);
  await expectInvariants(server.database);
  await expectNumbersTrue(server.database);
}

const referring = `
  select id::text from organizations where id = 'gone'
  union all select id from users where organization_id = 'gone'
  union all select id from projects where organization_id = 'gone'
  union all select id from project_grants where 'gone' in (organization_id, owner_id)
  union all select user_id || scope from administrators where home_id = 'gone'
  union all select id from authorizations where 'gone' in (organization_id, user_organization_id)`;

describe("While an organization is removed, changes elsewhere don't wait:", () => {
  const foreign: [what: string, owner: string, change: object][] = [
    ["of an organization", "other", organization("other", "Another name")],
    ["of a user", "other", user("bystander", "other", "Another name")],
    ["a new user", "other", user("new", "other")],
    ["a new project", "other", project("court", "other")],
    ["a new role of a project in which its user has one", "third", role("stall", "keeper")],
    ["a grant", "third", projectGrant("new", "stall", "other", "helper")],
    ["an entry", "other", entry("owner-of-third", { organizationId: "other" }, "ORG_OWNER_VIEWER")],
    ["the end of an entry", "third", remove({ administrator: { userId: "owner-of-third", organizationId: "third" } })],
    ["the removal of another organization", "empty", remove({ organizationId: "empty" })],
  ];

  test.each(foreign)("%s", async (_what, owner, change) => {
    const { held, removing } = await underWay();
    await apply(server, as(`owner-of-${owner}`), change);
    await apply(server, as("root"), change);
    await held.commit();
    expect(outcomeOf(await removing)).toBe("done");
    await expectSound();
  });

  test("and neither do assignments in other projects, nor in one in which its user has a role", async () => {
    const { held, removing } = await underWay();
    const place = { userId: "stranger", projectId: "stall", organizationId: "third", roleKeys: ["helper"] };
    expect(outcomeOf(await server.call("CreateAuthorization", place, { token: as("owner-of-third") }))).toBe("done");
    await held.commit();
    expect(outcomeOf(await removing)).toBe("done");
    await expectSound();
  });

  test("even if more than 64 organizations have granted it a project", async () => {
    const many = Array.from({ length: 70 }, (_, index) => `many-${index}`);
    await server.database.load(
      ...many.flatMap((id) => [
        organization(id),
        project(`of-${id}`, id),
        projectGrant(`by-${id}`, `of-${id}`, "gone"),
      ]),
    );
    const { held, removing } = await underWay();
    await apply(server, as("owner-of-other"), user("new", "other"));
    const next = send("root", organization("many-69", "Another name"));
    await held.untilWaiting(2);
    await held.commit();
    expect([await removing, await next].map(outcomeOf)).toEqual(["done", "done"]);
    await expectSound();
  });
});

describe("While an organization is removed, a change waits that", () => {
  const waiting: [what: string, id: string, change: object][] = [
    ["concerns it", "root", user("new", "gone")],
    ["concerns one that has granted it a project", "owner-of-giver", organization("giver", "Another name")],
    ["grants it a project", "owner-of-third", projectGrant("new", "stall", "gone", "helper")],
    [
      "concerns an entry of a user who has one on it",
      "owner-of-other",
      entry("stranger", { organizationId: "other" }, "ORG_OWNER_VIEWER"),
    ],
    ["renames a user who has an entry on it", "owner-of-other", user("stranger", "other", "Another name")],
    ["concerns any organization", "root", entry("stranger", { instance: true }, "IAM_OWNER_VIEWER")],
  ];

  test.each(waiting)("%s", async (_what, id, change) => {
    const { held, removing } = await underWay();
    const next = send(id, change);
    await held.untilWaiting(2);
    await held.rollback();
    expect(outcomeOf(await removing)).toBe("done");
    expect(["done", "REFERENCE_NOT_FOUND"]).toContain(outcomeOf(await next));
    await expectSound();
  });
});

describe("An organization that is removed at the same time as", () => {
  const [missing, done] = ["REFERENCE_NOT_FOUND", "done"];
  const inGone = { organizationId: "gone" };
  const races: [what: string, id: string, change: object, ifSecond: string][] = [
    ["a project is granted to it", "owner-of-third", projectGrant("new", "stall", "gone", "helper"), missing],
    ["a granted project gets other keys", "owner-of-giver", projectGrant("in", "shop", "gone"), missing],
    ["a grant to it ends", "root", remove({ projectGrantId: "in" }), done],
    ["a project granted to it is removed", "owner-of-giver", remove({ projectId: "shop" }), done],
    ["a user is added to it", "root", user("new", "gone"), missing],
    ["a user moves to it", "root", user("stranger", "gone"), missing],
    ["a user moves away", "root", user("member", "other"), done],
    [
      "a user of it gets an entry elsewhere",
      "owner-of-other",
      entry("member", { organizationId: "other" }, "ORG_USER_MANAGER"),
      missing,
    ],
    ["a project is added to it", "root", project("court", "gone"), missing],
    ["a project of it gets a role", "root", role("yard", "gardener"), missing],
    ["a project of it is granted", "root", projectGrant("new", "yard", "third", "guard"), missing],
    ["an entry on it is given", "root", entry("owner-of-third", inGone, "ORG_OWNER_VIEWER"), missing],
    ["an entry on it ends", "root", remove({ administrator: { userId: "stranger", ...inGone } }), done],
    [
      "an entry on a project of it is given",
      "root",
      entry("stranger", { projectId: "yard" }, "PROJECT_OWNER"),
      missing,
    ],
    ["one on a grant to it", "root", entry("stranger", { projectGrantId: "in" }, "PROJECT_GRANT_OWNER"), missing],
    ["one on a grant by it", "root", entry("member", { projectGrantId: "out" }, "PROJECT_GRANT_OWNER"), missing],
    ["it is removed", "root", removal, done],
    ["it is renamed", "root", organization("gone", "Another name"), done],
  ];

  test.each(races)("%s: as if that had come first", async (_what, id, change) => {
    const held = await stopAtEvents();
    const changing = send(id, change);
    await held.untilWaiting(1);
    const removing = send("owner-of-gone", removal);
    await held.untilWaiting(2);
    await held.commit();
    expect(outcomeOf(await changing)).toBe(done);
    // It is gone already, and with it the owner's right to remove it.
    expect(outcomeOf(await removing)).toBe(change === removal ? "PERMISSION_DENIED" : done);
    expect(await server.database.query(referring)).toEqual([]);
    await expectSound();
  });

  test.each(races)("%s: as if that had come second", async (_what, id, change, ifSecond) => {
    const held = await stopAtEvents();
    const removing = send("owner-of-gone", removal);
    await held.untilWaiting(1);
    const changing = send(id, change);
    await held.untilWaiting(2);
    await held.commit();
    expect([await removing, await changing].map(outcomeOf)).toEqual([done, ifSecond]);
    const isBack = "organization" in change;
    expect(await server.database.query(referring)).toEqual(isBack ? [{ id: "gone" }] : []);
    await expectSound();
  });

  test("a project in which its user has a role is granted to it and loses that role: no deadlock", async () => {
    const held = await hold(server.database, "select from authorization_roles where role_key = 'helper' for update");
    const granting = send("owner-of-third", removeRole("stall", "helper"), projectGrant("new", "stall", "gone"));
    await held.untilWaiting(1);
    const removing = send("owner-of-gone", removal);
    await held.untilWaiting(2);
    await held.commit();
    expect([await granting, await removing].map(outcomeOf)).toEqual([done, done]);
    expect(await deadlocksIn(server.database)).toBe(0);
    expect(await server.database.query(referring)).toEqual([]);
    await expectSound();
  });

  const place = { userId: "member", projectId: "shop", organizationId: "gone", roleKeys: ["seller"] };
  const create = () => server.call("CreateAuthorization", place, { token: as("root") });

  test("a role is assigned in it: as if that had come first", async () => {
    const held = await hold(server.database, "lock table events in share row exclusive mode");
    const assigning = create();
    await held.untilWaiting(1);
    const removing = send("owner-of-gone", removal);
    await held.untilWaiting(2);
    await held.commit();
    expect([await assigning, await removing].map(outcomeOf)).toEqual([done, done]);
    expect(await server.database.query(referring)).toEqual([]);
    await expectSound();
  });

  test("a role is assigned in it: as if that had come second", async () => {
    const held = await stopAtEvents();
    const removing = send("owner-of-gone", removal);
    await held.untilWaiting(1);
    const assigning = create();
    await held.untilWaiting(2);
    await held.commit();
    expect([await removing, await assigning].map(outcomeOf)).toEqual([done, "USER_NOT_FOUND"]);
    expect(await server.database.query(referring)).toEqual([]);
    await expectSound();
  });
});

describe("A request about more than 64 organizations", () => {
  const many = Array.from({ length: 100 }, (_, index) => `many-${index}`);

  test("keeps only changes of these waiting", async () => {
    await server.database.load(
      ...many.flatMap((id) => [organization(id), entry("owner-of-third", { organizationId: id }, "ORG_OWNER")]),
    );
    const held = await hold(server.database, "select from organizations where id = 'many-99' for update");
    const renaming = send("owner-of-third", ...many.map((id) => organization(id, "Another name")));
    await held.untilWaiting(1);
    await apply(server, as("owner-of-other"), user("new", "other"));
    const next = send("root", user("new-too", "many-98"));
    await held.untilWaiting(2);
    await held.commit();
    expect([await renaming, await next].map(outcomeOf)).toEqual(["done", "done"]);
    await expectSound();
  });

  test("may add them, while another one adds some of the same", async () => {
    const held = await stopAtEvents();
    const adding = send("root", ...many.map((id) => organization(id)));
    await held.untilWaiting(1);
    const renaming = send("root", organization("many-7", "Another name"), user("new", "many-7"));
    await held.untilWaiting(2);
    await held.commit();
    expect([await adding, await renaming].map(outcomeOf)).toEqual(["done", "done"]);
    await expectSound();
  });
});

describe("A request that others get in the way of again and again", () => {
  /** Each of them makes one attempt fail, when it has added the user that the attempt adds. */
  async function meetOthers(id: string) {
    const twins = ["twin-1", "twin-2", "twin-3", "twin-4"];
    const others = [];
    for (const twin of twins) {
      const insert = "insert into users select n, 'third', n, n, '' from (select $1::text) one (n)";
      others.push(await hold(server.database, insert, [twin]));
    }
    const adding = send(id, ...twins.map((twin) => user(twin, "other")));
    for (const other of others.slice(0, -1)) {
      await other.untilWaiting(1);
      await other.commit();
    }
    const last = others.at(-1) ?? expect.unreachable();
    await last.untilWaiting(1);
    return { adding, last };
  }

  test("keeps no one waiting, unless its caller may change everything", async () => {
    const both = entry("owner-of-other", { organizationId: "third" }, "ORG_OWNER");
    await server.database.load(both);
    const { adding, last } = await meetOthers("owner-of-other");
    await apply(server, as("owner-of-giver"), organization("giver", "Another name"));
    await last.rollback();
    expect(outcomeOf(await adding)).toBe("done");
  });

  test("is made alone in the end, if its caller may change everything", async () => {
    const { adding, last } = await meetOthers("root");
    const next = send("owner-of-giver", organization("giver", "Another name"));
    await last.untilWaiting(2);
    await last.rollback();
    expect([await adding, await next].map(outcomeOf)).toEqual(["done", "done"]);
  });
});
