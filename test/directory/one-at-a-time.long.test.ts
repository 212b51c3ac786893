import { beforeEach, describe, expect, test } from "vitest";
import { apply, applyChanges, entry, organization, remove } from "../support/changes.ts";
import { clearEverything } from "../support/clear-everything.ts";
import { expectDirectoryHistory } from "../support/directory-history.ts";
import { serverWithoutDeadlocks } from "../support/fresh-worlds.ts";
import { hold } from "../support/locks.ts";
import { instance, organizationOf, ownersIn, waysToGo } from "../support/owners.ts";
import { deniedAt, expectRefusal } from "../support/refusals.ts";
import { type Answer, errorInfo, serverInTest, type TestServer } from "../support/server.ts";
import { twoOrganizations } from "../support/two-organizations.ts";
import { user } from "../support/world.ts";

// docs/internals/locks.md: there is one directory change at a time, and changes of assignments beside it.

let server: TestServer;
let mine: string;
let theirs: string;
let root: string;

serverWithoutDeadlocks((given) => {
  server = given;
});

beforeEach(async () => {
  const { database } = server;
  await database.query(clearEverything);
  await database.load(
    organization("home"),
    ...twoOrganizations,
    ...["owner-of-mine", "owner-of-theirs", "root"].map((id) => user(id, "home")),
    entry("owner-of-mine", { organizationId: "mine" }, "ORG_OWNER"),
    entry("owner-of-theirs", { organizationId: "theirs" }, "ORG_OWNER"),
    entry("root", { instance: true }, "IAM_OWNER"),
  );
  mine = await database.token("owner-of-mine");
  theirs = await database.token("owner-of-theirs");
  root = await database.token("root");
});

const send = (token: string, ...changes: object[]) => applyChanges(server, token, changes);
const outcomeOf = (answer: Answer) => (answer.status === 200 ? "done" : errorInfo(answer)?.reason);
const rows = (text: string) => server.database.query(text);

/** Every change waits here, behind all of its locks, until this ends. */
const stopAtEvents = () => hold(server.database, "lock table directory_events in share row exclusive mode");

describe("Of two changes at once on different servers,", () => {
  /** Both were applicable when they were sent. */
  async function meeting(
    first: object,
    second: object,
    [one, two]: readonly [string, string] = [mine, theirs],
  ): Promise<Answer> {
    const other = await serverInTest({ database: server.database, poolSize: 8 });
    const held = await stopAtEvents();
    const [changing, waiting] = await held.holdUp([() => send(one, first), () => applyChanges(other, two, [second])]);
    expect(outcomeOf(changing)).toBe("done");
    await expectDirectoryHistory(server.database);
    return waiting;
  }

  test("the second waits, and both are made", async () => {
    expect(outcomeOf(await meeting(user("new", "mine"), user("new-too", "theirs")))).toBe("done");
    expect(await rows("select from users where id like 'new%'")).toHaveLength(2);
  });

  test("the second is judged by what the first has left", async () => {
    expectRefusal(await meeting(user("twin", "mine"), user("twin", "theirs")), deniedAt(0, "user.write"));
  });

  test("the second is checked by what the first has left", async () => {
    const given = entry("member", { organizationId: "theirs" }, "ORG_OWNER_VIEWER");
    expect(outcomeOf(await meeting(remove({ userId: "member" }), given))).toBe("REFERENCE_NOT_FOUND");
  });

  test.each(waysToGo)(
    "each of which takes one of the last two IAM_OWNERs, the second is refused: %s",
    async (_, take) => {
      await server.database.load(
        remove({ administrator: { userId: "root", ...instance } }),
        ...["o1", "o2"].flatMap((id) => [
          organization(organizationOf(id)),
          user(id, organizationOf(id)),
          entry(id, instance, "IAM_OWNER"),
        ]),
      );
      const tokens = [await server.database.token("o1"), await server.database.token("o2")] as const;
      expect(outcomeOf(await meeting(take("o1"), take("o2"), tokens))).toBe("LAST_OWNER");
      expect(await ownersIn(server.database)).toEqual(["o2"]);
    },
  );
});

describe("While an import is applied,", () => {
  async function importing() {
    const held = await stopAtEvents();
    const imported = server.database.import(user("imported", "mine"));
    await held.untilWaiting(1);
    return { held, imported };
  }

  test("a change gives up with OVERLOADED before its deadline, and so do those behind it", async () => {
    const { held, imported } = await importing();
    const answers = await Promise.all([send(mine, user("late", "mine")), send(theirs, user("late", "theirs"))]);
    expect(answers.map(outcomeOf)).toEqual(["OVERLOADED", "OVERLOADED"]);
    await held.untilWaiting(1);
    await held.rollback();
    await imported;
    await apply(server, mine, user("late", "mine"));
  });

  test("a change with a shorter deadline stops waiting then", async () => {
    const { held, imported } = await importing();
    const headers = { "connect-timeout-ms": "1000" };
    const waiting = server.callDirectory("ApplyChanges", { changes: [user("late", "mine")] }, { token: mine, headers });
    await held.untilWaiting(2);
    expect((await waiting).body.code).toBe("deadline_exceeded");
    await held.untilWaiting(1);
    await held.rollback();
    await imported;
    expect(await rows("select from users where id = 'late'")).toEqual([]);
  });
});

const assigned = { userId: "stranger", projectId: "shop", organizationId: "theirs", roleKeys: ["seller"] };
const create = () => server.call("CreateAuthorization", assigned, { token: root });

test.each([
  ["first", "numbers"],
  ["second", "directory_events"],
])("An assignment that is created while its user moves knows where the user is: it came %s", async (_what, table) => {
  const held = await hold(server.database, `lock table ${table} in share row exclusive mode`);
  const move = () => send(root, user("stranger", "mine"));
  const [one, two] = table === "numbers" ? [create, move] : [move, create];
  const [first, second] = await held.holdUp([one, two]);
  expect([first, second].map(outcomeOf)).toEqual(["done", "done"]);
  expect(await rows("select user_organization_id as id from authorizations")).toEqual([{ id: "mine" }]);
});
