import { expect, inject, test } from "vitest";
import { post } from "../support/call-headers.ts";
import { databaseInTest } from "../support/database.ts";
import { serveInTest, stop } from "../support/start-in-test.ts";

async function serve() {
  const database = await databaseInTest(inject("smallWorldDatabase"));
  const token = await database.token("ann");
  await database.token("bob");
  const server = await serveInTest({ DATABASE_URL: database.url });
  const use = async () => (await post(server.url, token, "authorization.v2.CallerService/GetCaller")).status;
  return { database, server, use };
}

test("The last use of a token is stored when the server stops", async () => {
  const { database, server, use } = await serve();
  expect(await use()).toBe(200);
  const uses = () =>
    database.query(
      "select user_id, last_use_date > now() - interval '1 minute' as recent from tokens order by user_id",
    );
  expect(await uses()).toEqual([
    { user_id: "ann", recent: null },
    { user_id: "bob", recent: null },
  ]);
  await stop(server);
  expect(await uses()).toEqual([
    { user_id: "ann", recent: true },
    { user_id: "bob", recent: null },
  ]);
});

test("A server whose uses can't be stored stops all the same, and says why they were lost", async () => {
  const { database, server, use } = await serve();
  expect(await use()).toBe(200);
  await database.query("alter table tokens rename column last_use_date to gone");
  expect(await use()).toBe(200);
  expect((await stop(server)).stderr).toContain("the last uses of tokens were not stored");
});
