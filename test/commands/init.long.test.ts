import { existsSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { objectsIn, runCommand, startCommand } from "../support/command.ts";
import { databaseInTest, type TestDatabase } from "../support/database.ts";
import { folderOfTests } from "../support/folders.ts";
import { hold } from "../support/locks.ts";
import { startTestServer } from "../support/server.ts";
import { stop } from "../support/start-in-test.ts";
import { stored } from "../support/stored.ts";
import { user } from "../support/world.ts";

const folder = await folderOfTests("init-test");
let database: TestDatabase;

beforeEach(async () => {
  database = await databaseInTest();
});

const names = ["--organization", "Acme", "--login", "ann@acme.example"];
const init = (...args: string[]) => runCommand(["init", ...args], { env: { DATABASE_URL: database.url } });
const uuidV7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** What is there of owners and tokens, besides the directory. */
async function everything(): Promise<object> {
  return { ...(await stored(database)), tokens: await database.query("select * from tokens") };
}

describe("init", () => {
  test("--if-needed succeeds when there is an owner, and changes nothing", async () => {
    expect(await init(...names, "--if-needed")).toMatchObject({ code: 0, stdout: expect.stringMatching(/^authz_/) });
    const before = await everything();
    expect(await init(...names, "--if-needed")).toEqual({
      code: 0,
      stdout: "",
      stderr: "This instance already has an owner, so nothing was created.\n",
    });
    expect(await everything()).toEqual(before);
  });

  test("--no-token creates the owner, and no token", async () => {
    const made = await init(...names, "--user-id", "ann-of-the-issuer", "--no-token");
    expect(made).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("\nNo token was created. To ") });
    expect(await everything()).toMatchObject({ administrators: [{ user_id: "ann-of-the-issuer" }], tokens: [] });
  });

  test("writes the reason into the events of what it makes", async () => {
    expect((await init(...names, "--reason", "first day")).code).toBe(0);
    const events = await database.query("select distinct kind, actor_id, reason from directory_events order by kind");
    const trace = { actor_id: null, reason: "first day" };
    expect(events).toEqual(["administrator", "organization", "token", "user"].map((kind) => ({ kind, ...trace })));
  });

  test("makes the schema, an organization, a user, an IAM_OWNER entry and a token, printed alone, that works", async () => {
    database = await databaseInTest("template0");
    const { code, stdout, stderr } = await init(...names, "--name", "Ann Keller");
    expect(stdout).toMatch(/^authz_[\w-]{43}\n$/);
    const { organizations, users, administrators, ...others } = await stored(database);
    const [[{ id: organizationId }], [{ id: userId }]] = [organizations, users] as [[{ id: string }], [{ id: string }]];
    expect([organizationId, userId]).toEqual([expect.stringMatching(uuidV7), expect.stringMatching(uuidV7)]);
    const login = { preferred_login_name: "ann@acme.example", display_name: "Ann Keller", avatar_url: "" };
    const noScope = { organization_id: null, project_id: null, project_grant_id: null, home_id: null, scope: "0" };
    expect({ organizations, users, administrators }).toEqual({
      organizations: [{ id: organizationId, name: "Acme" }],
      users: [{ id: userId, organization_id: organizationId, ...login }],
      administrators: [{ user_id: userId, ...noScope, roles: ["IAM_OWNER"] }],
    });
    expect(Object.values(others).flat()).toEqual([]);

    const [{ expiry }] = (await database.query<{ expiry: string }>(
      `select to_char(expiration_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS') as expiry from tokens`,
    )) as [{ expiry: string }];
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        new RegExp(
          `^Created the first owner of this instance:\n  organization ${organizationId}: Acme\n` +
            `  user ${userId}: Ann Keller, ann@acme\\.example\n` +
            `The token on standard output is valid until ${expiry}[.\\d]*Z\\. It is shown only once\\. .*\n` +
            `  npm run --silent cli -- token create --user ${userId}\n.*sign-in page.*\n.*npm start\n$`,
        ),
      ),
    });

    const events = await database.query(
      "select e.actor_id, e.user_id, e.before from directory_events e join tokens t on t.id = e.id where e.kind = 'token'",
    );
    expect(events).toEqual([{ actor_id: null, user_id: userId, before: null }]);

    const server = await startTestServer({ database });
    const { body } = await server.callService("authorization.v2.CallerService/GetCaller", {}, { token: stdout.trim() });
    await server.stop();
    expect(body.user.id).toBe(userId);
    expect(body.permissions.map(({ permission }: { permission: string }) => permission)).toContain("directory.write");
  });

  test("gives the owner the id of --user-id, which is the sub of an issuer's tokens, unless there is such a user", async () => {
    await database.load({ organization: { id: "acme", name: "Acme" } }, user("auth0|7", "acme"));
    expect(await init(...names, "--user-id", "auth0|7")).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^User "auth0\|7" exists, so nothing was created\. .*import an administrator/),
    });
    const { code, stderr } = await init(...names, "--user-id", "auth0|8");
    expect([code, stderr]).toEqual([0, expect.stringContaining("user auth0|8: ann@acme.example")]);
    expect(await database.query("select user_id from administrators")).toEqual([{ user_id: "auth0|8" }]);
  });

  test("shows the login name where there is no --name, and takes --expires-in as token create does", async () => {
    const days = "extract(epoch from expiration_date - creation_date)::float8 / 86400";
    const tokens = () =>
      database.query(
        `select ${days} as days, t.user_id, u.display_name from tokens t join users u on u.id = t.user_id`,
      );
    for (const [days, says, ...more] of [
      [90, "is valid until 20"],
      [0.5, "is valid until 20", "--expires-in", "12h"],
      [null, "never expires", "--expires-in", "never"],
    ] as const) {
      expect((await init(...names, ...more)).stderr).toContain(says);
      expect(await tokens()).toEqual([{ days, user_id: expect.any(String), display_name: "ann@acme.example" }]);
      await database.query("delete from administrators");
      await database.query("delete from tokens");
    }
  });

  test("is refused when there is an IAM_OWNER, makes nothing, and says how to make a token", async () => {
    await database.load({ organization: { id: "acme", name: "Acme" } }, user("o'neil", "acme"), {
      administrator: { userId: "o'neil", instance: true, roles: ["IAM_OWNER_VIEWER", "IAM_OWNER"] },
    });
    const before = await everything();
    expect(await init(...names)).toEqual({
      code: 1,
      stdout: "",
      stderr:
        `User "o'neil" already owns this instance, so nothing was created. To create a token for this user, run:\n` +
        `  npm run --silent cli -- token create --user 'o'\\''neil'\n`,
    });
    expect(await everything()).toEqual(before);
  });

  test("in a database with other things in it and no owner, makes new ones beside them, whatever they are called", async () => {
    const given = [
      { organization: { id: "acme", name: "Acme" } },
      { user: { id: "ann", organizationId: "acme", preferredLoginName: "ann@acme.example" } },
      { administrator: { userId: "ann", instance: true, roles: ["IAM_OWNER_VIEWER"] } },
      { administrator: { userId: "ann", organizationId: "acme", roles: ["ORG_OWNER"] } },
    ];
    await database.load(...given);
    const before = await stored(database);
    expect((await init(...names)).code).toBe(0);
    const after = await stored(database);
    for (const [kind, added] of [
      ["organizations", 1],
      ["users", 1],
      ["administrators", 1],
      ["authorizations", 0],
    ] as const) {
      expect(after[kind]).toEqual(expect.arrayContaining(before[kind] ?? []));
      expect(after[kind]).toHaveLength((before[kind]?.length ?? 0) + added);
    }
  });

  test("of two at once one wins, and the other one makes nothing", async () => {
    const lock = await hold(database, "select pg_advisory_xact_lock(7206381402113)");
    const both = [init(...names), init("--organization", "Globex", "--login", "bob@globex.example")];
    await lock.untilWaiting(2);
    await lock.rollback();
    const ended = (await Promise.all(both)).toSorted((one, other) => Number(one.code) - Number(other.code));
    expect(ended).toMatchObject([{ code: 0 }, { code: 1, stdout: "" }]);
    expect(ended[1]?.stderr).toContain("already owns this instance");
    const counts = Object.values(await everything()).map((rows) => rows.length);
    expect(counts.filter((count) => count > 0)).toEqual([1, 1, 1, 1]);
  });

  test("waits for a change that makes an owner, and is refused then", async () => {
    await database.load({ organization: { id: "acme", name: "Acme" } }, user("root", "acme"));
    const lock = await hold(
      database,
      `select pg_advisory_xact_lock(7206381402113);
       insert into administrators (user_id, roles) values ('root', '{IAM_OWNER}')`,
    );
    const waiting = init(...names);
    await lock.untilWaiting(1);
    await lock.commit();
    expect(await waiting).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining('User "root" already owns'),
    });
  });

  test("leaves nothing when the token cannot be kept", async () => {
    await database.query("alter table tokens rename column hash to gone");
    const { code, stdout } = await init(...names);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(Object.values(await everything()).flat()).toEqual([]);
  });

  test("shows no control characters of names as they are", async () => {
    const { stderr } = await init("--organization", "A\u001b[2J", "--login", "x\nUser y", "--name", "\u202e");
    expect(stderr).toContain(String.raw`: A\u{1b}[2J`);
    expect(stderr).toContain(String.raw`: \u{202e}, x\u{a}User y`);
  });
});

const longer = "\u{1f600}".repeat(201);
const tooLong = "must be at most 200 characters, got 201.";

test.each<[what: string, args: string[], says: string]>([
  ["no organization", ["--login", "ann"], "error: required option '--organization <name>' not specified"],
  ["no login", ["--organization", "Acme"], "error: required option '--login <name>' not specified"],
  ["a blank organization", ["--organization", " \t", "--login", "ann"], "--organization must not be blank."],
  ["a blank login", ["--organization", "Acme", "--login", ""], "--login must not be blank."],
  ["a blank name", [...names, "--name", "\u2003"], "--name must not be blank."],
  ["a blank id", [...names, "--user-id", " "], "--user-id must not be blank."],
  [
    "an id of too many bytes",
    [...names, "--user-id", "\u{1f600}".repeat(151)],
    "--user-id must be at most 600 bytes in UTF-8, got 604.",
  ],
  ["a name that is too long", [...names, "--name", longer], `--name ${tooLong}`],
  [
    "everything at once",
    ["--organization", longer, "--login", longer, "--name", " "],
    `--organization ${tooLong}\n--login ${tooLong}\n--name must not be blank.`,
  ],
  [
    "a character that was no UTF-8",
    [...names, "--name", "M\ufffdller"],
    "--name must be UTF-8 text without NUL characters.",
  ],
  [
    "a user without any way in",
    [...names, "--no-token"],
    "--no-token needs --user-id: otherwise, the owner can't sign in.",
  ],
  ["no duration", [...names, "--expires-in", "soon"], `"soon" isn't a duration such as 12h, 30d, or never.`],
])("init refuses %s before anything is started or made", async (_what, args, says) => {
  const DATA_DIR = path.join(folder, "data");
  const refused = { code: 1, stdout: "", stderr: `${says}\n` };
  expect(await runCommand(["init", ...args], { env: { DATA_DIR } })).toEqual(refused);
  expect(existsSync(DATA_DIR)).toBe(false);
});

describe("While no one owns the instance,", () => {
  const hint = "npm run --silent cli -- init --organization Acme --login ann@acme.example";

  test("serve logs once how to make the first owner", async () => {
    const server = startCommand(["serve"], { env: { DATABASE_URL: database.url, PORT: "0" } });
    await server.until("stderr", /init --organization.*\n/);
    const { stdout, stderr } = await stop(server);
    expect(stdout).toBe("");
    expect(objectsIn(stderr).filter(({ msg }) => msg.includes(hint))).toMatchObject([{ level: 40 }]);
  });

  test("start prints how to make it, and later how to make a token", async () => {
    const said = await saidByStart();
    expect(said).toContain(`\n${hint}\n`);
    expect(said).toContain("and the same DATABASE_URL");
    await init(...names);
    const again = await saidByStart();
    expect(again).not.toContain("init");
    expect(again).toMatch(/with the same DATABASE_URL:\n\nTOKEN=.*token create --user [\da-f-]{36}\)/);
  });

  async function saidByStart(): Promise<string> {
    const server = startCommand(["start"], { env: { DATABASE_URL: database.url, PORT: "0" } });
    const said = await server.until("stdout", /curl(.*\n){4}$/);
    await stop(server);
    return said;
  }
});
