import { beforeEach, describe, expect, test } from "vitest";
import { remove } from "../support/changes.ts";
import { runCommand } from "../support/command.ts";
import { hold } from "../support/locks.ts";
import { bodyOf, serverInTest, type TestServer } from "../support/server.ts";
import { createGuardedDatabase } from "../support/service-role.ts";
import { created } from "../support/tokens.ts";
import { until } from "../support/until.ts";
import { loadSmallWorld } from "../support/world.ts";

let server: TestServer;
let root: string;

beforeEach(async () => {
  server = await serverInTest({ smallWorld: true });
  root = await server.database.token("root");
});

const zoe = {
  id: "z1",
  organizationId: "acme",
  preferredLoginName: "zoe.quill@acme.example",
  displayName: "Zoë (Quill)",
  avatarUrl: "https://acme.example/zoe-quill.png",
};
const nameless = { id: "z1", preferredLoginName: "", displayName: "", avatarUrl: "" };

/** What must be gone, in whatever case. */
const names = /zoe\.quill|zoë|zoe-quill|mary/i;

const apply = (reason: string, ...changes: object[]) =>
  bodyOf(server.callDirectory("ApplyChanges", { changes, reason }, { token: root }));

function create(userId: string, reason = "") {
  const place = { projectId: "shop", organizationId: "globex", roleKeys: ["seller"] };
  return bodyOf(server.call("CreateAuthorization", { userId, ...place, reason }, { token: root }));
}

/** Zoë comes, is renamed, gets an assignment and a token, changes something, and leaves. */
async function comeAndGo() {
  await apply("Welcome, ZOË (QUILL)!", { user: { ...zoe, displayName: "Mary Poe" } });
  await apply("She married", { user: zoe });
  const scope = { organizationId: "acme" };
  await apply("", { administrator: { userId: "z1", ...scope, roles: ["ORG_OWNER"] } });
  await create("z1", "Asked by zoe.quill@acme.example");
  await created(server, await server.database.token("z1"), { name: "Mary Poe's laptop" });
  await apply("Mary Poetry is another word", { organization: { id: "acme", name: "Acme 2" } });
  await apply("", remove({ userId: "z1" }));
}

const erase = (...more: string[]) => runCommand(["users", "erase", ...more], { env: env() });
const env = () => ({ DATABASE_URL: server.database.url });

/** Every row of both histories, with all columns that hold texts. */
async function stored() {
  const of = async (table: string) => {
    const all = `select to_jsonb(e) as event from ${table} e order by sequence`;
    return (await server.database.query<{ event: Record<string, any> }>(all)).map(({ event }) => event);
  };
  return { events: await of("events"), directoryEvents: await of("directory_events") };
}

describe("users erase", () => {
  test("takes names and login names out of both histories, and leaves ids, times and who did what", async () => {
    await comeAndGo();
    const before = await stored();
    expect(JSON.stringify(before)).toMatch(names);
    const { code, stdout } = await erase("z1", "--reason", "Request 17");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "6 events no longer name the person.\n" });
    const { events, directoryEvents } = await stored();
    const kept = "Mary Poetry is another word";
    expect(JSON.stringify({ events, directoryEvents }).replaceAll(kept, "")).not.toMatch(names);
    expect(directoryEvents.map(({ reason }) => reason)).toEqual(expect.arrayContaining([kept, "She married"]));
    const unchanged = ({ reason, before: _, after, bytes, ...others }: Record<string, any>) => others;
    expect(events.map(unchanged)).toEqual(before.events.map(unchanged));
    expect(directoryEvents.slice(0, -1).map(unchanged)).toEqual(before.directoryEvents.map(unchanged));
  });

  test("appends an event of its own, in the organization of the user", async () => {
    await comeAndGo();
    await erase("z1", "--reason", "Request 17");
    const filters = [{ organizationId: { id: "acme" } }, { userId: { id: "z1" } }];
    const list = "directory.v1.DirectoryHistoryService/ListDirectoryEvents";
    const { body } = await server.callService(list, { filters, pagination: { limit: 1 } }, { token: root });
    expect(body.events).toEqual([
      {
        sequence: expect.any(String),
        time: expect.any(String),
        requestId: expect.any(String),
        reason: "Request 17",
        before: { user: { ...nameless, organizationId: "acme" } },
        after: { user: { ...nameless, organizationId: "" } },
      },
    ]);
  });

  test("leaves no display name in lists, where other removed users have their last names", async () => {
    await comeAndGo();
    const list = async () => {
      const rpc = "authorization.v2.AuthorizationHistoryService/ListAuthorizationEvents";
      const { body } = await server.callService(rpc, { filters: [{ userId: { id: "z1" } }] }, { token: root });
      return body.events.map(({ user }: any) => user);
    };
    const removed = { ...zoe, organizationId: "" };
    expect(await list()).toMatchObject([removed, removed]);
    await erase("z1");
    expect(await list()).toMatchObject([nameless, nameless]);
    // Another user with the same id, who left later, is not erased.
    await apply("", { user: zoe });
    await apply("", remove({ userId: "z1" }));
    expect(await list()).toMatchObject([nameless, nameless]);
    await apply("", { user: zoe });
    await create("z1");
    await apply("", remove({ userId: "z1" }));
    expect(await list()).toMatchObject([removed, removed, nameless, nameless]);
  });

  test("with --dry-run, says how many events would change, and changes none", async () => {
    await comeAndGo();
    const before = await stored();
    const { code, stdout } = await erase("z1", "--dry-run");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "6 events would change.\n" });
    expect(await stored()).toEqual(before);
  });

  test("waits for changes on their way, and finds what they say", async () => {
    await comeAndGo();
    const changing = await hold(
      server.database,
      `insert into directory_events (time, kind, id, request_id, reason, before, after)
        values (now(), 'organization', 'acme', gen_random_uuid(), $1, '{"id":"acme"}', null)`,
      ["Instead of zoe.quill@acme.example"],
    );
    const erasing = erase("z1");
    const looks = "select from pg_stat_activity where datname = current_database() and query like '%pg_snapshot_xmin%'";
    await until("the command to wait", async () => (await server.database.query(looks)).length > 1);
    await changing.commit();
    expect((await erasing).stdout).toBe("7 events no longer name the person.\n");
  });

  test("finds other names that are given", async () => {
    await comeAndGo();
    await apply("For Zo, our 100%", { organization: { id: "acme", name: "Acme 3" } });
    await erase("z1", "--name", "zo", "100%");
    expect((await stored()).directoryEvents.map(({ reason }) => reason)).not.toContain("For Zo, our 100%");
  });

  test("finds whole words in every alphabet, and parts of texts in scripts that don't separate words", async () => {
    await comeAndGo();
    const kept = ["René moved", "Янтарь closes", "ΑΝΝΑΚΙ Ltd", "tranṕh", "Rena"];
    const gone = ["«Ren» moved", "ЯН moves", "For Άννα; bye", "王伟离职", "김철수가"];
    for (const reason of [...kept, ...gone]) await apply(reason, { organization: { id: "acme", name: reason } });
    await erase("z1", "--name", "ren", "Ян", "Άννα", "Αννα", "tran", "王伟", "김철수");
    const reasons = (await stored()).directoryEvents.map(({ reason }) => reason);
    expect(reasons.filter((reason) => [...kept, ...gone].includes(reason))).toEqual(kept);
  });

  test("keeps the name of a token that contains none, whatever the reason is", async () => {
    await apply("", { user: zoe });
    await created(server, await server.database.token("z1"), { name: "Laptop" });
    await apply("Goodbye, Zoë (Quill)", remove({ userId: "z1" }));
    await erase("z1");
    const { directoryEvents } = await stored();
    const ofLaptop = directoryEvents.filter(({ before, after }) => (before ?? after).name === "Laptop");
    expect(ofLaptop.map(({ reason }) => reason)).toEqual(["", ""]);
  });

  test("is refused while the user exists, and changes nothing; so it is for ids that no user ever had", async () => {
    await comeAndGo();
    await apply("", { user: zoe });
    const before = await stored();
    // Before that, it may say that it waits for the transactions of other tests.
    const refused = (why: string) => ({ code: 1, stderr: expect.stringContaining(why) });
    expect(await erase("z1")).toMatchObject(refused('The user "z1" still exists: remove the user first.\n'));
    const unknown = refused('No user with the id "z2" was ever removed: check the id.\n');
    expect(await erase("z2", "--name", "Mary Poe")).toMatchObject(unknown);
    expect(await stored()).toEqual(before);
  });

  test("is the owner's: the role of the service is refused, and can't change events in other ways", async () => {
    const guarded = await createGuardedDatabase();
    await loadSmallWorld(guarded.database);
    const as = (url: string) => runCommand(["users", "erase", "x"], { env: { DATABASE_URL: url } });
    const stderr = expect.stringContaining("This command needs the role of the database's owner");
    expect(await as(guarded.serviceUrl)).toMatchObject({ code: 1, stderr });
    expect((await as(guarded.ownerUrl)).stderr).toContain("was ever removed");
    await guarded.drop();
  });

  test("leaves events final for the owner, too", async () => {
    await comeAndGo();
    await erase("z1");
    await expect(server.database.query("update directory_events set reason = 'x'")).rejects.toThrow("never changed");
    await expect(server.database.query("update events set reason = 'x'")).rejects.toThrow("never changed");
  });
});
