import { expect, test } from "vitest";
import { openRaw, request } from "../support/raw-http.ts";
import { serverInTest } from "../support/server.ts";

test("More connections than MAX_CONNECTIONS are closed at once, and the others are served", async () => {
  const small = await serverInTest({ limits: { maximumConnections: 2 } });
  const [one, two] = [openRaw(small.url), openRaw(small.url)];
  // Those that say nothing count, too.
  await expect.poll(() => small.openConnections()).toBe(2);
  await openRaw(small.url).untilClosed();
  const healthy = request("GET /healthz HTTP/1.1", { host: "x" });
  for (const connection of [one, two]) {
    connection.send(healthy);
    expect((await connection.answers(1)).map(({ status }) => status)).toEqual([200]);
  }
  for (const connection of [one, two]) connection.close();
  await expect.poll(() => small.openConnections()).toBe(0);
  expect((await fetch(`${small.url}/healthz`)).status).toBe(200);
});
