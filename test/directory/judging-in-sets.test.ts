import { afterAll, beforeAll, expect, test } from "vitest";
import { administrator } from "../support/assign.ts";
import { apply } from "../support/changes.ts";
import { createSmallWorld, type TestDatabase } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { recordStatements, type StatementRecorder } from "../support/statement-recorder.ts";
import { role } from "../support/world.ts";

let server: TestServer;
let database: TestDatabase;
let recorder: StatementRecorder;

beforeAll(async () => {
  database = await createSmallWorld();
  recorder = await recordStatements(database.url);
  server = await startTestServer({ database: { ...database, url: recorder.url }, poolSize: 1 });
});
afterAll(async () => {
  await server.stop();
  await recorder.close();
  await database.drop();
});

test("All changes of a request are judged together: by as many statements as one, and by two more than for an IAM_OWNER", async () => {
  const owner = await administrator(database, { organizationId: "acme", roles: ["ORG_OWNER"] });
  const root = await database.token("root");
  const roles = (count: number) => Array.from({ length: count }, (_, n) => role("depot", `role-${n}`));
  const statementsOf = async (token: string, count: number) =>
    (await recorder.during(() => apply(server, token, ...roles(count)))).length;
  await statementsOf(root, 1);
  const one = await statementsOf(owner, 1);
  expect(await statementsOf(owner, 500)).toBe(one);
  expect(one - (await statementsOf(root, 500))).toBeLessThanOrEqual(2);
});
