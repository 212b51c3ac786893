import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { serve, startServer } from "../history/servers.ts";
import { assign } from "../support/assign.ts";
import { apply, entry, remove } from "../support/changes.ts";
import { copyClients, followCopy, seenBy } from "../support/copies.ts";
import { serveSmallWorld } from "../support/server.ts";
import { until } from "../support/until.ts";
import { whileRepeating } from "../support/while-repeating.ts";

/** Makes the changes, and is never killed. */
const { server, root } = await serveSmallWorld();
const env = { DATABASE_URL: server.database.url };
const killed = await Promise.all(["one", "two"].map((name) => startServer(name, serve, env)));
afterAll(() => Promise.all(killed.map((one) => one.stop())));

test("A copy is what lists say after servers were killed while assignments and rights changed", async () => {
  const token = await server.database.token("ann");
  const assigned = await Promise.all(Array.from({ length: 40 }, () => assign(server.database)));
  let turn = 0;
  const clients = copyClients(() => {
    const there = killed.flatMap((one) => one.url() ?? []);
    turn += 1;
    return there[turn % Math.max(there.length, 1)];
  }, token);
  const copy = followCopy(clients);
  await until("the copy", () => copy.known.rows !== undefined);

  let changes = 0;
  const change = async (count: number) => {
    const { id } = assigned[count % assigned.length] as { id: string };
    const rpc = Math.floor(count / assigned.length) % 2 === 0 ? "Deactivate" : "Activate";
    expect((await server.call(`${rpc}Authorization`, { id }, { token: root })).status).toBe(200);
    if (count % 15 === 0) await apply(server, root, entry("ann", { organizationId: "acme" }, "ORG_OWNER_VIEWER"));
    if (count % 15 === 10)
      await apply(server, root, remove({ administrator: { userId: "ann", organizationId: "acme" } }));
    changes = count + 1;
  };
  await whileRepeating(change, async () => {
    for (let round = 0; round < 6; round += 1) {
      await sleep(300);
      await killed[round % 2]?.restart("SIGKILL", 100);
    }
  });
  expect(changes).toBeGreaterThan(60);
  const listed = await seenBy(copyClients(() => server.url, token));
  await until("the copy", () => String(copy.known.rows) === String(listed));
  expect(copy.known.failure).toBeUndefined();
});
