import { describe, expect, onTestFinished, test } from "vitest";
import { appendEvents } from "../support/append-events.ts";
import { apply, removeRole } from "../support/changes.ts";
import { objectsIn, runCommand, startCommand } from "../support/command.ts";
import { addDirectoryEvents } from "../support/directory-events.ts";
import { startOwnPostgres } from "../support/own-postgres.ts";
import { serveSmallWorld } from "../support/server.ts";
import { until } from "../support/until.ts";

const { server, root } = await serveSmallWorld();

const events = (...args: string[]) => runCommand(["events", ...args], { env: { DATABASE_URL: server.database.url } });

test("events prints the history of one authorization, oldest first, one object a line", async () => {
  const call = async (rpc: string, more: object = {}) =>
    (await server.call(rpc, { id: "a5", ...more }, { token: root })).body;
  const activated = await call("ActivateAuthorization");
  const updated = await call("UpdateAuthorization", { roleKeys: ["auditor", "seller"] });
  await apply(server, root, removeRole("shop", "auditor"));
  const deleted = await call("DeleteAuthorization");

  const { code, stdout, stderr } = await events("--authorization", "a5");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.endsWith("}\n")).toBe(true);
  const lines = objectsIn(stdout);
  const [, , , cascade] = lines;
  const place = { userId: "bea", projectId: "shop", organizationId: "globex", projectGrantId: "shop-to-globex" };
  const event = (
    type: string,
    time: string,
    actorId: string | null,
    [roleKeysBefore, stateBefore]: [string[], string | null],
    [roleKeys, state]: [string[], string | null],
  ) => ({
    sequence: expect.stringMatching(/^[1-9]\d*$/),
    time,
    type: `user.grant.${type}`,
    actorId,
    authorizationId: "a5",
    ...place,
    roleKeys,
    state,
    expirationDate: null,
    expirationDateBefore: null,
    roleKeysBefore,
    stateBefore,
    requestId: expect.stringMatching(/^[\da-f-]{36}$/),
    reason: "",
  });
  const nothing: [string[], null] = [[], null];
  const inactive: [string[], string] = [["seller"], "inactive"];
  const active: [string[], string] = [["seller"], "active"];
  const both: [string[], string] = [["auditor", "seller"], "active"];
  expect(lines).toEqual([
    event("added", "2024-01-05T00:00:00Z", null, nothing, inactive),
    event("reactivated", activated.changeDate, "root", inactive, active),
    event("changed", updated.changeDate, "root", active, both),
    event("cascade.changed", cascade.time, "root", both, active),
    event("removed", deleted.deletionDate, "root", active, nothing),
  ]);
  const sequences = lines.map(({ sequence }) => Number(sequence));
  expect(sequences).toEqual(sequences.toSorted((one, other) => one - other));
});

/** The ids of the assignments or things whose events are printed. */
async function printed(...args: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await events(...args);
  expect({ code, stderr: stderr.replace("No event matches.\n", "") }).toEqual({ code: 0, stderr: "" });
  return idsIn(stdout);
}

function idsIn(stdout: string): string[] {
  return objectsIn(stdout).map(({ authorizationId, before, after }) => authorizationId ?? (after ?? before).id ?? "");
}

test("events has the filters of ListAuthorizationEvents, and prints everything without any", async () => {
  await server.call("DeactivateAuthorization", { id: "a3" }, { token: root });
  expect(new Set(await printed())).toEqual(new Set(["a1", "a2", "a3", "a4", "a5", "a6"]));
  for (const [args, expected] of [
    [
      ["--user", "bob", "--kind", "added"],
      ["a4", "a6"],
    ],
    [["--organization", "initech"], ["a6"]],
    [["--project", "depot", "--kind", "added"], ["a3"]],
    [["--project", "shop", "--user", "bob", "--organization", "globex", "--kind", "added"], ["a4"]],
    [["--actor", "root", "--kind", "deactivated,user.grant.cascade.removed"], ["a3"]],
    [
      ["--actor", "", "--kind", "added", "--from", "2024-01-05T00:00:00Z"],
      ["a5", "a6"],
    ],
    [["--from", "2024-01-02T00:00:00.5Z", "--to", "2024-01-03T00:00:00.000001Z"], ["a2"]],
    [["--user", ""], []],
  ] as const) {
    expect([args, await printed(...args)]).toEqual([args, expected]);
  }
});

test("events --directory prints the history of the directory, with the filters of ListDirectoryEvents", async () => {
  const shop = ["project", "z-shop"] as const;
  await addDirectoryEvents(
    server.database,
    { kind: "project", id: "z-shop", after: { id: "z-shop" }, places: [shop, ["organization", "z"]], actorId: "ann" },
    { kind: "token", id: "z-token", userId: "z-ann", before: { id: "z-token" }, reason: "lost" },
  );
  const { stdout } = await events("--directory", "--id", "z-token");
  expect(JSON.parse(stdout)).toEqual({
    sequence: expect.stringMatching(/^[1-9]\d*$/),
    time: expect.stringMatching(/^20.*Z$/),
    kind: "token",
    actorId: null,
    requestId: expect.stringMatching(/^[\da-f-]{36}$/),
    reason: "lost",
    before: { id: "z-token" },
    after: null,
  });
  for (const [args, expected] of [
    [["--user", "z-ann"], ["z-token"]],
    [["--organization", "z"], ["z-shop"]],
    [["--project", "z-shop"], ["z-shop"]],
    [["--actor", "ann", "--kind", "project,user"], ["z-shop"]],
    [["--kind", "token"], ["z-token"]],
    [["--to", "2020-01-01T00:00:00Z"], []],
  ] as const) {
    expect([args, await printed("--directory", ...args)]).toEqual([args, expected]);
  }
});

test.each([
  [["--directory", "--authorization", "a1"], "--authorization can't be used with --directory."],
  [["--id", "a1"], "--id can't be used without --directory."],
  [["--kind", "token"], /^--kind must be some of added, .*, cascade\.removed, separated by commas, got "token"\.$/],
  [["--directory", "--kind", "user,added"], /^--kind must be some of organization, .*, got "added"\.$/],
  [["--from", "yesterday"], '--from must be a time such as 2026-01-31T08:00:00Z, got "yesterday".'],
] as const)("events refuses %j", async (args, message) => {
  const { code, stdout, stderr } = await events(...args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr.trimEnd()).toEqual(typeof message === "string" ? message : expect.stringMatching(message));
});

describe("events --follow", () => {
  const follow = (url: string, ...args: string[]) => {
    const command = startCommand(["events", "--follow", ...args], { env: { DATABASE_URL: url } });
    onTestFinished(() => void command.process.kill("SIGKILL"));
    return command;
  };
  const place = { projectId: "shop", organizationId: "acme" };
  /** Appends an event of the first history, or of the second one. */
  const append = (id: string, isDirectory: boolean) =>
    isDirectory
      ? `insert into directory_events (time, kind, id, request_id, after)
         values (now(), 'user', '${id}', gen_random_uuid(), '{"id": "${id}"}')`
      : appendEvents(`values ('${id}', 'user.grant.removed', now(), null, 'ann', '${place.projectId}',
          '${place.organizationId}', '', '{}'::text[], null::authorization_state)`);

  const session = async () => {
    const client = await server.database.connect();
    await client.query("begin");
    return client;
  };

  /** Resolves once a follower waits for transactions that could still append earlier events. */
  const untilWaiting = () =>
    until("a follower to wait", async () => {
      const rows = await server.database.query(`
        select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and query like '%pg_snapshot_xmin%is_over%'`);
      return rows.length > 0;
    });

  test("waits for the youngest transaction, which no snapshot lists as running", async () => {
    const [older, youngest] = [await session(), await session()];
    await older.query("select pg_current_xact_id()");
    await youngest.query(append("y-lower", true));
    await older.query(append("y-higher", true));
    await older.query("commit");
    const { until: untilSaid, process: child, ended } = follow(server.database.url, "--directory");
    await untilWaiting();
    await youngest.query("commit");
    await untilSaid("stdout", /y-higher/);
    child.kill("SIGTERM");
    const { code, stdout } = await ended;
    expect([code, idsIn(stdout).filter((id) => id.startsWith("y-"))]).toEqual([0, ["y-lower", "y-higher"]]);
  });

  test.each([false, true])("misses no event that commits after a later one: %s", async (isDirectory) => {
    const { database } = server;
    const name = isDirectory ? "d" : "f";
    const [early, slow] = [await session(), await session()];
    await early.query(append(`${name}-early`, isDirectory));
    await database.query(append(`${name}-first`, isDirectory));
    const directory = isDirectory ? ["--directory"] : [];
    const { until: untilSaid, process: child, ended } = follow(database.url, ...directory);
    await untilWaiting();
    await early.query("commit");
    await untilSaid("stdout", new RegExp(`${name}-first`));
    await slow.query("savepoint one");
    await slow.query(append(`${name}-slow`, isDirectory));
    await database.query(append(`${name}-second`, isDirectory));
    await untilWaiting();
    await slow.query("commit");
    await untilSaid("stdout", new RegExp(`${name}-second`));
    child.kill("SIGINT");
    const { code, stdout, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const ids = idsIn(stdout).filter((id) => id.startsWith(`${name}-`));
    expect(ids).toEqual(["early", "first", "slow", "second"].map((id) => `${name}-${id}`));
  });

  test("prints each event once, also where a page of the API would end early", async () => {
    const large = (ids: string[]) =>
      ids.map((id) => ({ kind: "project", id, within: "large", after: { id, name: "x".repeat(1_500_000) } }));
    await addDirectoryEvents(server.database, ...large(["large-1", "large-2", "large-3"]));
    const options = ["--directory", "--kind", "project"];
    const past = idsIn((await events(...options)).stdout).filter((id) => id.startsWith("large"));
    expect(past).toEqual(["large-1", "large-2", "large-3"]);
    const { until: untilSaid, process: child, ended } = follow(server.database.url, ...options);
    await untilSaid("stdout", /large-3/);
    await addDirectoryEvents(server.database, ...large(["large-4", "large-5"]));
    await untilSaid("stdout", /large-5[^\n]*\n/);
    child.kill("SIGTERM");
    const followed = idsIn((await ended).stdout).filter((id) => id.startsWith("large"));
    expect(followed).toEqual([...past, "large-4", "large-5"]);
  });

  test("ends when Postgres can't be reached any more", async () => {
    const postgres = await startOwnPostgres();
    onTestFinished(() => postgres.stop());
    await postgres.database.query(append("h-1", true));
    const { until: untilSaid, ended } = follow(postgres.database.url, "--directory");
    await untilSaid("stdout", /h-1/);
    await postgres.end("SIGKILL");
    const { code, stdout, stderr } = await ended;
    expect([code, idsIn(stdout)]).toEqual([1, ["h-1"]]);
    expect(stderr).toMatch(/^the database can't be reached; try again: .*\n$/);
  });
});
