import { expect, onTestFinished, test } from "vitest";
import { objectsIn, startCommand } from "../../support/command.ts";
import { type Replicated, startReplicated, type TestReplica } from "../../support/replicated.ts";
import { openProxy, type TcpProxy } from "../../support/tcp-proxy.ts";
import { until } from "../../support/until.ts";

test.each([
  ["is cut off", (way: TcpProxy) => way.cut()],
  ["hangs, without closing a connection", async (way: TcpProxy) => way.swallow()],
] as const)("events --follow continues on the promoted replica when the primary %s", async (_, harm) => {
  const { world, next, way, follow } = await start();
  await world.primary.database.query(append("before-1"));
  const { until: untilSaid, process: child, ended } = follow();
  await untilSaid("stdout", /before-1/);
  await world.primary.database.query(append("before-2"));
  await untilSaid("stdout", /before-2/);
  await untilReplayed(world, next);

  await harm(way);
  await promote(next);
  await next.query(append("after-1"));
  await untilSaid("stdout", /after-1/);
  await next.query(append("after-2"));
  await untilSaid("stdout", /after-2/);

  child.kill("SIGINT");
  const { code, stdout, stderr } = await ended;
  expect(idsIn(stdout)).toEqual(["before-1", "before-2", "after-1", "after-2"]);
  expect(stderr).toContain(`The primary is now ${new URL(next.url).host}.`);
  expect(code).toBe(0);
});

test("events --follow ends if the promoted replica lacks an event that it printed", async () => {
  const { world, next, way, follow } = await start();
  await world.primary.database.query(append("kept"));
  await untilReplayed(world, next);
  await next.upstream?.cut();
  await world.primary.database.query(append("lost"));
  const { until: untilSaid, ended } = follow();
  await untilSaid("stdout", /lost/);

  await way.cut();
  await promote(next);
  await next.query(append("instead"));

  const { code, stdout, stderr } = await ended;
  expect(idsIn(stdout)).toEqual(["kept", "lost"]);
  expect(stderr).toMatch(/the event with the sequence \d+ is gone, as after a fail-over that lost it/);
  expect(code).toBe(1);
});

/** A primary that is reached by a way which can be harmed, and a replica of it. */
async function start() {
  const world = await startReplicated({ count: 1, upstream: true });
  onTestFinished(() => world.stop());
  const next = world.replicas[0] as TestReplica;
  const way = await openProxy(world.primary.database.url);
  onTestFinished(() => way.close());
  const hosts = [way.url, next.url].map((url) => new URL(url).host).join(",");
  const follow = () => {
    const env = { DATABASE_URL: `postgresql://postgres@${hosts}/postgres` };
    const command = startCommand(["events", "--follow", "--directory"], { env });
    onTestFinished(() => void command.process.kill("SIGKILL"));
    return command;
  };
  return { world, next, way, follow };
}

async function untilReplayed({ primary }: Replicated, replica: TestReplica): Promise<void> {
  const [row] = await primary.database.query<{ position: string }>(
    "select pg_current_wal_flush_lsn()::text as position",
  );
  await until("the replica to have replayed everything", async () => {
    const [found] = await replica.query<{ is: boolean }>("select pg_last_wal_replay_lsn() >= $1::pg_lsn as is", [
      row?.position,
    ]);
    return found?.is;
  });
}

async function promote(replica: TestReplica): Promise<void> {
  await replica.query("select pg_promote()");
}

const append = (id: string) => `
  insert into directory_events (time, kind, id, request_id, after)
  values (now(), 'user', '${id}', gen_random_uuid(), '{"id": "${id}"}')`;

const idsIn = (stdout: string): string[] => objectsIn(stdout).map(({ after }) => after.id);
