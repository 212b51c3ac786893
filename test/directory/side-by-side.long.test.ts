import pg from "pg";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { checkStaged, lockAffected } from "../../src/postgres/directory/apply-changes.ts";
import { createStagingTables, stageStream } from "../../src/postgres/directory/staging.ts";
import { inTurn } from "../../src/postgres/pool/own-connection.ts";
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
import { serverWithoutDeadlocks } from "../support/fresh-worlds.ts";
import { hold } from "../support/locks.ts";
import { placed } from "../support/placed-changes.ts";
import { denied, expectRefusal } from "../support/refusals.ts";
import { type Answer, errorInfo, type TestServer } from "../support/server.ts";
import { twoOrganizations } from "../support/two-organizations.ts";
import { role, user } from "../support/world.ts";

// docs/explanation/consistency.md: directory changes of different organizations are made side by side.

let server: TestServer;
let mine: string;
let theirs: string;
let both: string;
let root: string;

serverWithoutDeadlocks((given) => {
  server = given;
});

const shopOwner = { organizationId: "mine" };
const yardOwner = { organizationId: "theirs" };

/** The owners of the two organizations belong to a third one. */
beforeEach(async () => {
  const { database } = server;
  await database.load(...["mine", "theirs", "home"].map((organizationId) => remove({ organizationId })));
  await database.query("delete from removed_things");
  await database.load(
    organization("home"),
    ...twoOrganizations,
    ...["owner-of-mine", "owner-of-theirs", "owner-of-both", "root", "viewer"].map((id) => user(id, "home")),
    entry("owner-of-mine", shopOwner, "ORG_OWNER"),
    entry("owner-of-theirs", yardOwner, "ORG_OWNER"),
    entry("owner-of-both", shopOwner, "ORG_OWNER"),
    entry("owner-of-both", yardOwner, "ORG_OWNER"),
    entry("owner-of-theirs", { projectGrantId: "out" }, "PROJECT_GRANT_OWNER"),
    entry("root", { instance: true }, "IAM_OWNER"),
    entry("viewer", { instance: true }, "IAM_OWNER_VIEWER"),
  );
  mine = await database.token("owner-of-mine");
  theirs = await database.token("owner-of-theirs");
  both = await database.token("owner-of-both");
  root = await database.token("root");
});

const send = (token: string, ...changes: object[]) => applyChanges(server, token, changes);
const outcomeOf = (answer: Answer) => (answer.status === 200 ? "done" : errorInfo(answer)?.reason);
const rows = (text: string) => server.database.query(text);

/** Whoever writes to the table waits until this ends, and keeps everything it has locked. */
const stopAt = (table: string) => hold(server.database, `lock table ${table} in share row exclusive mode`);

describe("While a change of an organization is under way,", () => {
  /** A change of "mine" that waits, behind all of its locks, until it is let go. */
  async function underWay() {
    const kept = { userId: "owner-of-mine", projectId: "shop", organizationId: "mine", roleKeys: ["seller"] };
    await server.database.load({ authorization: { id: "kept", ...kept } });
    const held = await hold(server.database, "select from authorizations where id = 'kept' for update");
    const waiting = send(mine, remove({ userId: "member" }), removeRole("shop", "seller"));
    await held.untilWaiting(1);
    return { held, waiting };
  }

  const foreign: [what: string, change: object][] = [
    ["an organization", organization("theirs", "Another name")],
    ["a new user", user("new", "theirs")],
    ["a user", user("stranger", "theirs", "Another name")],
    ["a removed user", remove({ userId: "stranger" })],
    ["a project", project("court", "theirs")],
    ["a removed project", remove({ projectId: "yard" })],
    ["a role", role("yard", "gardener")],
    ["a removed role", removeRole("yard", "guard")],
    ["a grant to the first", projectGrant("in", "yard", "mine")],
    ["the end of a grant to the first", remove({ projectGrantId: "in" })],
    ["an entry", entry("stranger", yardOwner, "ORG_OWNER_VIEWER")],
    ["an entry for a user of the first", entry("owner-of-mine", { projectId: "yard" }, "PROJECT_OWNER")],
    ["an entry on a grant of the first", entry("stranger", { projectGrantId: "out" }, "PROJECT_GRANT_OWNER")],
  ];

  test.each(foreign)("those of another organization don't wait: %s", async (_what, change) => {
    const { held, waiting } = await underWay();
    await apply(server, theirs, change);
    await apply(server, root, change);
    await held.commit();
    expect(outcomeOf(await waiting)).toBe("done");
  });

  const waits: [what: string, token: () => string, change: object][] = [
    ["of the same organization", () => both, user("new", "mine")],
    ["that moves a user there", () => both, user("stranger", "mine")],
    ["of an entry on the instance", () => root, entry("stranger", { instance: true }, "IAM_OWNER_VIEWER")],
    ["that removes an organization it has granted a project to", () => root, remove({ organizationId: "theirs" })],
    ["of any assignment", () => root, remove({ authorizationId: "nothing" })],
    ["of something that is nowhere", () => root, removeRole("nothing", "seller")],
    ["that removes a user with an entry on the instance", () => root, remove({ userId: "viewer" })],
  ];

  test.each(waits)("a change %s waits", async (_what, token, change) => {
    const { held, waiting } = await underWay();
    const next = send(token(), change);
    await held.untilWaiting(2);
    await held.commit();
    expect(outcomeOf(await waiting)).toBe("done");
    expect(outcomeOf(await next)).toBe("done");
  });

  test("an IAM_OWNER who waits for it keeps no one else from changing other organizations", async () => {
    const { held, waiting } = await underWay();
    const next = send(root, user("new", "mine"));
    await held.untilWaiting(2);
    await apply(server, theirs, user("stranger", "theirs", "Another name"));
    await held.commit();
    expect([await waiting, await next].map(outcomeOf)).toEqual(["done", "done"]);
  });

  test("an import waits", async () => {
    const { held, waiting } = await underWay();
    const importing = server.database.import(user("new", "theirs"));
    await held.untilWaiting(2);
    await held.commit();
    await importing;
    expect(outcomeOf(await waiting)).toBe("done");
  });
});

describe("If two organizations add a thing with the same id at once,", () => {
  const things: [kind: string, permission: string, table: string, make: (organizationId: string) => object][] = [
    ["user", "user.write", "users", (id) => user("twin", id)],
    ["project", "project.write", "projects", (id) => project("twin", id)],
    [
      "grant",
      "project.grant.write",
      "project_grants",
      (id) => projectGrant("twin", id === "mine" ? "shop" : "yard", "home"),
    ],
  ];

  describe.each(things)("%s", (_kind, permission, table, make) => {
    const refusal = { ...denied(permission), metadata: { permission, index: "0" } };
    const owners = async () => {
      const found = await rows(`select * from ${table} where id = 'twin'`);
      return found.map((row: any) => row.owner_id ?? row.organization_id);
    };

    /** Begins to add it to "mine", and then sends another request, which waits for the first. */
    async function meeting(token: string) {
      const held = await stopAt("administrators");
      const first = send(mine, make("mine"), entry("member", shopOwner, "ORG_OWNER_VIEWER"));
      await held.untilWaiting(1);
      const second = send(token, make("theirs"));
      await held.untilWaiting(2);
      await held.commit();
      expect(outcomeOf(await first)).toBe("done");
      return second;
    }

    test("the second is refused, as if the thing had always been there", async () => {
      expectRefusal(await meeting(theirs), refusal);
      expect(await owners()).toEqual(["mine"]);
    });

    test("the second starts over, and is applied if its caller may change both", async () => {
      const second = await meeting(both);
      expect(outcomeOf(second)).toBe(table === "users" ? "done" : "IMMUTABLE_FIELD");
      expect(await owners()).toEqual([table === "users" ? "theirs" : "mine"]);
    });

    test("and the first removes it again, the id is not free for the second", async () => {
      const held = await hold(server.database, "select from users where id = 'stranger' for update");
      const second = send(theirs, make("theirs"), entry("stranger", yardOwner, "ORG_OWNER_VIEWER"));
      await held.untilWaiting(1);
      await apply(server, mine, make("mine"));
      await apply(
        server,
        mine,
        remove({ [table === "users" ? "userId" : `${_kind === "grant" ? "projectGrant" : "project"}Id`]: "twin" }),
      );
      await held.rollback();
      expectRefusal(await second, refusal);
      expect(await owners()).toEqual([]);
    });
  });
});

test("A removal starts over if it finds something outside the organizations it has locked", async () => {
  const client = new pg.Client({ connectionString: server.database.url });
  await client.connect();
  onTestFinished(() => client.end());
  const connection = inTurn(client);
  const removals = [{ userId: "member" }, { projectId: "shop" }, { projectGrantId: "out" }];
  for (const [removal, locked, outcome] of removals.flatMap((each) => [
    [each, "mine", "locked"] as const,
    [each, "theirs", "StartOver"] as const,
  ])) {
    await client.query("begin");
    await client.query(createStagingTables);
    const { tables } = await stageStream(client, placed([remove(removal)]), () => {});
    const staged = { tables, many: false, keepOwner: false, isLimited: true };
    await checkStaged(connection, staged);
    const done = lockAffected(connection, staged, new Set([locked])).then(() => "locked");
    expect(await done.catch(({ name }) => name)).toBe(outcome);
    await client.query("rollback");
  }
});

describe("An entry for a user of another organization, who is removed there at the same time,", () => {
  const give = entry("member", yardOwner, "ORG_OWNER_VIEWER");
  const gone = async () => {
    expect(await rows("select from users where id = 'member'")).toEqual([]);
    expect(await rows("select from administrators where user_id = 'member'")).toEqual([]);
  };

  test("goes with the user, if it came first", async () => {
    const held = await stopAt("administrators");
    const giving = send(theirs, give);
    await held.untilWaiting(1);
    const removing = send(mine, remove({ userId: "member" }));
    await held.untilWaiting(2);
    await held.commit();
    expect([await giving, await removing].map(outcomeOf)).toEqual(["done", "done"]);
    await gone();
  });

  test("is refused, if it came second", async () => {
    const held = await stopAt("removed_things");
    const removing = send(mine, remove({ userId: "member" }));
    await held.untilWaiting(1);
    const giving = send(theirs, give);
    await held.untilWaiting(2);
    await held.commit();
    expect([await giving, await removing].map(outcomeOf)).toEqual(["REFERENCE_NOT_FOUND", "done"]);
    await gone();
  });
});

describe("An entry on a grant whose project's owner ends it at the same time", () => {
  const give = entry("stranger", { projectGrantId: "out" }, "PROJECT_GRANT_OWNER_VIEWER");
  const refusal = { ...denied("administrator.write"), metadata: { permission: "administrator.write", index: "0" } };

  test("goes with the grant, if it came first", async () => {
    const held = await stopAt("administrators");
    const giving = send(theirs, give);
    await held.untilWaiting(1);
    const ending = send(mine, remove({ projectGrantId: "out" }));
    await held.untilWaiting(2);
    await held.commit();
    expect([await giving, await ending].map(outcomeOf)).toEqual(["done", "done"]);
    expect(await rows("select from administrators where project_grant_id = 'out'")).toEqual([]);
  });

  test.each([
    ["is refused, if it came second", []],
    [
      "is refused, even if the same request gives another grant with that id",
      [project("stall", "mine"), projectGrant("out", "stall", "home")],
    ],
  ])("%s", async (_what, more) => {
    const held = await stopAt("removed_things");
    const how = more.length === 0 ? { projectGrantId: "out" } : { projectId: "shop" };
    const ending = send(mine, remove(how), ...more);
    await held.untilWaiting(1);
    const giving = send(theirs, give);
    await held.untilWaiting(2);
    await held.commit();
    expect(outcomeOf(await ending)).toBe("done");
    expectRefusal(await giving, refusal);
    expect(await rows("select from administrators where project_grant_id = 'out'")).toEqual([]);
  });
});

test("A user who moves while its organization's owner waits to change it is out of that owner's reach", async () => {
  const held = await hold(server.database, "select from users where id = 'member' for update");
  const moving = send(both, user("member", "theirs"));
  await held.untilWaiting(1);
  const renaming = send(mine, user("member", "mine", "Another name"));
  await held.untilWaiting(2);
  await held.commit();
  expect(outcomeOf(await moving)).toBe("done");
  expectRefusal(await renaming, { ...denied("user.write"), metadata: { permission: "user.write", index: "0" } });
});

test("A removed user waits for a change of a project it has roles in, and neither is undone by a deadlock", async () => {
  const assigned = (id: string, userId: string, organizationId: string) => ({
    authorization: { id, userId, projectId: "shop", organizationId, roleKeys: ["seller"] },
  });
  await server.database.load(assigned("a", "stranger", "mine"), assigned("b", "stranger", "theirs"));
  const held = await hold(server.database, "select from project_grant_roles where role_key = 'seller' for update");
  const shrinking = send(mine, removeRole("shop", "seller"));
  await held.untilWaiting(1);
  const removing = send(theirs, remove({ userId: "stranger" }));
  await held.untilWaiting(2);
  expect(await rows("select id from authorizations where user_id = 'stranger' for update skip locked")).toHaveLength(2);
  await held.commit();
  expect([await shrinking, await removing].map(outcomeOf)).toEqual(["done", "done"]);
  expect(await rows("select from authorizations where user_id = 'stranger'")).toEqual([]);
});
