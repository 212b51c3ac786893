import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CommandError } from "../../src/commands/command-error.ts";
import { parseDuration } from "../../src/commands/token.ts";
import { runCommand } from "../support/command.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ smallWorld: true });
});
afterAll(() => server.stop());

const token = (...args: string[]) => runCommand(["token", ...args], { env: { DATABASE_URL: server.database.url } });
const list = (token: string) => server.call("ListAuthorizations", {}, { token });

async function expiries(userId: string): Promise<unknown[]> {
  const rows = await server.database.query<{ days: number | null }>(
    `select extract(epoch from expiration_date - creation_date)::float8 / 86400 as days from tokens
     where user_id = $1 order by creation_date`,
    [userId],
  );
  return rows.map(({ days }) => days);
}

test("token create prints the token alone on standard output, and it works for 90 days", async () => {
  const { code, stdout, stderr } = await token("create", "--user", "ann");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^authz_[\w-]{43}\n$/);
  expect((await list(stdout.trim())).body.pagination.totalResult).toBe(1);
  expect(await expiries("ann")).toEqual([90]);
});

test("the token is stored only as a hash", async () => {
  const { stdout } = await token("create", "--user", "adam", "--expires-in", "never");
  expect(await expiries("adam")).toEqual([null]);
  const rows = await server.database.query<{ row: string }>("select to_jsonb(t)::text as row from tokens t");
  expect(rows.map(({ row }) => row).join()).not.toContain(stdout.trim().slice(6, 20));
});

test("token list shows id, user, creation and expiry; token revoke ends one for the very next request", async () => {
  const [bob, bobToo] = [
    await token("create", "--user", "bob"),
    await token("create", "--user", "bob", "--expires-in", "never"),
  ];
  const { stdout } = await token("list", "--user", "bob");
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));
  const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  expect(lines).toEqual([
    [expect.any(String), "bob", date, date],
    [expect.any(String), "bob", date, "never"],
  ]);
  const all = (await token("list")).stdout;
  expect(all).toContain(stdout);
  expect(all.length).toBeGreaterThan(stdout.length - 1);

  expect((await list(bob.stdout.trim())).status).toBe(200);
  expect(await token("revoke", lines[0]?.[0] ?? "")).toMatchObject({ code: 0, stdout: "" });
  expect((await list(bob.stdout.trim())).status).toBe(401);
  expect((await list(bobToo.stdout.trim())).status).toBe(200);
  const again = await token("revoke", lines[0]?.[0] ?? "");
  expect(again).toEqual({
    code: 1,
    stdout: "",
    stderr: `There is no token with the id "${lines[0]?.[0]}": \`token list\` prints the ids.\n`,
  });
});

test("a user's id adds no line or column to token list, and nothing that a terminal obeys", async () => {
  const id = "x\tnever\nfake\r\u001b[2J\u009b\u202e";
  await server.database.load({ user: { id, organizationId: "acme", preferredLoginName: "x" } });
  await server.database.token(id);
  const { stdout } = await token("list", "--user", id);
  expect(stdout.split("\t")[1]).toBe(String.raw`x\u{9}never\u{a}fake\u{d}\u{1b}[2J\u{9b}\u{202e}`);
  expect(stdout.match(/\n/g)).toHaveLength(1);
});

test("a token that has expired is no longer accepted, and stays listed", async () => {
  const expired = await server.database.token("bea", -1);
  expect((await list(expired)).status).toBe(401);
  expect((await token("list", "--user", "bea")).stdout).toMatch(/^[^\t]+\tbea\t/);
});

test("there is no token for someone who is not in the directory", async () => {
  expect(await token("create", "--user", "mallory")).toEqual({
    code: 1,
    stdout: "",
    stderr: 'There is no user "mallory" in the directory: check the id, or import the user first.\n',
  });
});

test("a duration that is none is refused before anything is made", async () => {
  const { code, stdout, stderr } = await token("create", "--user", "cid", "--expires-in", "soon");
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^"soon" isn't a duration: .*\n$/);
  expect(await expiries("cid")).toEqual([]);
});

describe("--expires-in", () => {
  test.each([
    ["45s", 45],
    ["1m", 60],
    ["12h", 43_200],
    ["30d", 2_592_000],
    ["never", undefined],
  ])("%s", (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds);
  });

  test.each(["", "0d", "-1d", "30", "d", "1.5h", "1 d", " 1d", "1D", "1w", "Never", "1d1h", "1e3s", "9999999d", "٣d"])(
    '"%s" is refused',
    (text) => {
      expect(() => parseDuration(text)).toThrow(CommandError);
    },
  );
});
