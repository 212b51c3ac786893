import { expect, test } from "vitest";
import { administrator } from "../support/assign.ts";
import { apply } from "../support/changes.ts";
import { smallWorldOfTests } from "../support/database.ts";
import { serveTests } from "../support/server.ts";
import { recorderOfTests } from "../support/statement-recorder.ts";
import { role } from "../support/world.ts";

const database = await smallWorldOfTests();
const recorder = await recorderOfTests(database.url);
const server = await serveTests({ database: { ...database, url: recorder.url }, poolSize: 1 });

test("All changes of a request are judged together, by one statement before the lock and at most one behind it", async () => {
  const owner = await administrator(database, { organizationId: "acme", roles: ["ORG_OWNER"] });
  const root = await database.token("root");
  const roles = (count: number) => Array.from({ length: count }, (_, n) => role("depot", `role-${n}`));
  const statementsOf = async (token: string, count: number) => {
    const all = await recorder.during(() => apply(server, token, ...roles(count)));
    const judging = all.filter((statement) => statement.includes("find what decides")).length;
    // Whether they are judged and checked again depends on what else happens meanwhile in Postgres.
    const repeated = all.filter((one) => one.includes("found order by position"));
    return { judging, others: all.length - judging - repeated.length };
  };
  await statementsOf(root, 1);
  const { others } = await statementsOf(root, 500);
  for (const count of [1, 500]) {
    for (const token of [root, owner]) {
      const judged = await statementsOf(token, count);
      expect(judged.others).toBe(others);
      expect([1, 2]).toContain(judged.judging);
    }
  }
});
