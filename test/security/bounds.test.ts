import { expect, test } from "vitest";
import { applyChanges, organization } from "../support/changes.ts";
import { expectError } from "../support/connect-errors.ts";
import { openRaw, request } from "../support/raw-http.ts";
import { serverInTest, serveTests } from "../support/server.ts";

const server = await serveTests({ smallWorld: true });

test("ApplyChanges takes 1000 changes and not one more", async () => {
  const token = await server.database.token("root");
  const changes = Array.from({ length: 1_001 }, (_, n) => organization(`many-${n}`));
  expectError(await applyChanges(server, token, changes), 400, "invalid_argument", /^changes: /);
  expect(await applyChanges(server, token, changes.slice(1))).toMatchObject({ status: 200, body: { applied: 1_000 } });
});

test("Connections that say nothing count, too, and those that leave make room", async () => {
  const small = await serverInTest({ database: server.database, limits: { maximumConnections: 2 } });
  const silent = [openRaw(small.url), openRaw(small.url)];
  await expect.poll(() => small.openConnections()).toBe(2);
  const third = openRaw(small.url);
  await third.untilClosed();
  for (const connection of [...silent, third]) connection.close();
  await expect.poll(() => small.openConnections()).toBe(0);
  expect((await fetch(`${small.url}/healthz`)).status).toBe(200);
});

test("More connections than MAX_CONNECTIONS are closed at once, and the others are served", async () => {
  const small = await serverInTest({ database: server.database, limits: { maximumConnections: 2 } });
  const [one, two] = [openRaw(small.url), openRaw(small.url)];
  const healthy = request("GET /healthz HTTP/1.1", { host: "x" });
  for (const connection of [one, two]) {
    connection.send(healthy);
    expect((await connection.answers(1)).map(({ status }) => status)).toEqual([200]);
  }
  const three = openRaw(small.url);
  await three.untilClosed();
  one.send(healthy);
  expect((await one.answers(2)).map(({ status }) => status)).toEqual([200, 200]);
  for (const connection of [one, two, three]) connection.close();
});
