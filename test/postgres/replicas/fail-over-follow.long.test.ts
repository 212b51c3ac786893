import { expect, onTestFinished, test } from "vitest";
import { startCommand } from "../../support/command.ts";
import { startReplicated } from "../../support/replicated.ts";
import { openProxy } from "../../support/tcp-proxy.ts";

test("events --follow ends when another host becomes the primary, also if the old one hangs", async () => {
  const world = await startReplicated({ count: 1 });
  onTestFinished(() => world.stop());
  const [next] = world.replicas;
  const way = await openProxy(world.primary.database.url);
  onTestFinished(() => way.close());
  const hosts = [way.url, next?.url ?? ""].map((url) => new URL(url).host).join(",");
  const env = { DATABASE_URL: `postgresql://postgres@${hosts}/postgres` };
  const command = startCommand(["events", "--follow", "--directory"], { env });
  onTestFinished(() => void command.process.kill("SIGKILL"));
  await world.primary.database.query(`
    insert into directory_events (time, kind, id, request_id, after)
    values (now(), 'user', 'ann', gen_random_uuid(), '{"id": "ann"}')`);
  await command.until("stdout", /"ann"/);

  way.swallow();
  await next?.query("select pg_promote()");
  const { code, stderr } = await command.ended;
  expect(stderr).toContain("the database can't be reached");
  expect(code).toBe(1);
});
