import { expect, onTestFinished, test } from "vitest";
import { post } from "../support/call-headers.ts";
import { urlOf } from "../support/command.ts";
import { createSmallWorld, type TestDatabase } from "../support/database.ts";
import { startInTest } from "../support/start-in-test.ts";

async function serve(database: TestDatabase) {
  const server = startInTest(["serve"], { env: { DATABASE_URL: database.url, PORT: "0" } });
  return { ...server, url: await urlOf(server) };
}

const use = async (url: string, token: string) =>
  (await post(url, token, "authorization.v2.CallerService/GetCaller")).status;

test("The last use of a token is stored when the server stops", async () => {
  const database = await createSmallWorld();
  onTestFinished(() => database.drop());
  const [used, unused] = [await database.token("ann"), await database.token("bob")];
  const { url, process, ended } = await serve(database);
  expect(await use(url, used)).toBe(200);
  const uses = () =>
    database.query(
      "select user_id, last_use_date > now() - interval '1 minute' as recent from tokens order by user_id",
    );
  expect(await uses()).toEqual([
    { user_id: "ann", recent: null },
    { user_id: "bob", recent: null },
  ]);
  expect(unused).not.toBe(used);
  process.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: 0 });
  expect(await uses()).toEqual([
    { user_id: "ann", recent: true },
    { user_id: "bob", recent: null },
  ]);
});

test("A server whose uses can't be stored stops all the same, and says why they were lost", async () => {
  const database = await createSmallWorld();
  onTestFinished(() => database.drop());
  const token = await database.token("ann");
  const { url, process, ended } = await serve(database);
  expect(await use(url, token)).toBe(200);
  await database.query("alter table tokens rename column last_use_date to gone");
  expect(await use(url, token)).toBe(200);
  process.kill("SIGTERM");
  expect(await ended).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("the last uses of tokens were not stored"),
  });
});
