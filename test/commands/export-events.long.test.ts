import { beforeEach, describe, expect, test } from "vitest";
import { apply, remove } from "../support/changes.ts";
import { objectsIn, runCommand } from "../support/command.ts";
import { databaseInTest, type TestDatabase } from "../support/database.ts";
import { serverInTest, type TestServer } from "../support/server.ts";

let server: TestServer;
let empty: TestDatabase;

beforeEach(async () => {
  server = await serverInTest({ smallWorld: true });
  empty = await databaseInTest();
  const root = await server.database.token("root");
  const reason = 'quoted "é" \\ and\ttab';
  expect(await server.call("DeactivateAuthorization", { id: "a1", reason }, { token: root })).toMatchObject({
    status: 200,
  });
  await apply(server, root, remove({ projectId: "depot" }));
});

async function exported(...more: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(["export", ...more], {
    env: { DATABASE_URL: server.database.url },
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

describe("export --events", () => {
  test("begins with the plain export, which has no events, and goes on with both histories", async () => {
    const [plain, whole] = [await exported(), await exported("--events")];
    expect(whole.startsWith(plain)).toBe(true);
    expect(plain).not.toMatch(/"(event|directoryEvent)"/);
    const lines = objectsIn(whole.slice(plain.length));
    expect([...new Set(lines.flatMap((line) => Object.keys(line)))]).toEqual(["event", "directoryEvent"]);
    expect(lines).toContainEqual({
      event: expect.objectContaining({
        ...{ type: "user.grant.deactivated", actorId: "root", authorizationId: "a1" },
        ...{ reason: 'quoted "é" \\ and\ttab', state: "inactive", stateBefore: "active" },
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.(\d{3}){1,2})?Z$/),
      }),
    });
  });

  test("can't be combined with --only", async () => {
    const { code, stderr } = await runCommand(["export", "--events", "--only", "user"], {
      env: { DATABASE_URL: empty.url },
    });
    expect({ code, stderr }).toEqual({ code: 1, stderr: "--events can't be used with --only.\n" });
  });
});

test("An import refuses lines of the history with their number, and says how to move a database", async () => {
  const plain = await exported();
  const whole = (await exported("--events")).trimEnd().split("\n");
  for (const kind of ["event", "directoryEvent"]) {
    const line = whole.find((one) => one.startsWith(`{"${kind}"`)) ?? expect.unreachable(kind);
    for (const more of [[], ["--dry-run"]]) {
      expect(
        await runCommand(["import", "-", ...more], { env: { DATABASE_URL: empty.url }, input: `${plain}${line}\n` }),
      ).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(
          `line ${plain.trimEnd().split("\n").length + 1}: the history can't be imported: export without --events, or move the whole database with pg_dump and pg_restore\nNothing was imported.\n`,
        ),
      });
    }
  }
  expect(await empty.query("select from organizations union all select from events")).toEqual([]);
});
