import { describe, expect, test } from "vitest";
import { CommandError } from "../../src/commands/command-error.ts";
import { parseDuration } from "../../src/commands/token.ts";
import { runCommand } from "../support/command.ts";
import { serveTests } from "../support/server.ts";
import { created } from "../support/tokens.ts";

const server = await serveTests({ smallWorld: true });

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

test("token list shows everything but what proves a token; token revoke ends one for the very next request", async () => {
  const [bob, bobToo] = [
    await token("create", "--user", "bob", "--name", "a script"),
    await token("create", "--user", "bob", "--expires-in", "never"),
  ];
  const { stdout } = await token("list", "--user", "bob");
  const lines = stdout
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => line.split("\t"));
  const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  expect(lines).toEqual([
    [expect.any(String), "bob", date, date, "never", "-", "a script"],
    [expect.any(String), "bob", date, "never", "never", "-", ""],
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
  await server.database.query("update tokens set maker_id = $1, name = $1 where user_id = $1", [id]);
  const { stdout } = await token("list", "--user", id);
  const fields = stdout.trimEnd().split("\t");
  expect([...new Set([fields[1], fields[5], fields[6]])]).toEqual([
    String.raw`x\u{9}never\u{a}fake\u{d}\u{1b}[2J\u{9b}\u{202e}`,
  ]);
  expect(fields).toHaveLength(7);
  expect(stdout.match(/\n/g)).toHaveLength(1);
});

test("there is no token for someone who is not in the directory", async () => {
  expect(await token("create", "--user", "mallory")).toEqual({
    code: 1,
    stdout: "",
    stderr: 'There is no user "mallory" in the directory: check the id, or import the user first.\n',
  });
});

test("token revoke says how many tokens made with it are revoked, too, and each has its event", async () => {
  const first = await created(server, (await token("create", "--user", "cid", "--name", "first")).stdout.trim());
  const second = await created(server, first.token);
  const third = await created(server, first.token);
  await created(server, third.token);
  await created(server, first.token);
  expect(await token("revoke", second.id)).toMatchObject({ code: 0, stderr: "The token has been revoked.\n" });
  expect(await token("revoke", third.id)).toMatchObject({
    stderr: "The token has been revoked. 1 token made with it was revoked, too.\n",
  });
  const [list] = (await token("list", "--user", "cid")).stdout.split("\n");
  const [id = "", , , , lastUse, maker, name] = list?.split("\t") ?? [];
  expect([lastUse, maker, name]).toEqual(["never", "-", "first"]);
  expect(await token("revoke", id)).toMatchObject({
    code: 0,
    stderr: "The token has been revoked. 2 tokens made with it were revoked, too.\n",
  });
  const events = await server.database.query(
    `select id = $1 as is_first, actor_id, before is null as is_new, coalesce(after, before) ->> 'makerId' as maker
     from directory_events where kind = 'token' and user_id = 'cid' order by sequence`,
    [id],
  );
  expect(events).toEqual([
    { is_first: true, actor_id: null, is_new: true, maker: null },
    ...[1, 2, 3, 4, 5].map(() => ({ is_first: false, actor_id: "cid", is_new: true, maker: "cid" })),
    ...[1, 2, 3].map(() => ({ is_first: false, actor_id: null, is_new: false, maker: "cid" })),
    { is_first: true, actor_id: null, is_new: false, maker: null },
    ...[1, 2].map(() => ({ is_first: false, actor_id: null, is_new: false, maker: "cid" })),
  ]);
});

test("the command line goes beyond the limits of the API", async () => {
  await server.database.query(
    `insert into tokens (id, user_id, hash)
     select 'many' || n, 'adam', sha256(convert_to('many' || n, 'UTF8')) from generate_series(1, 100) n`,
  );
  expect(await token("create", "--user", "adam", "--expires-in", "9999d")).toMatchObject({ code: 0 });
  expect(await expiries("adam")).toContain(9_999);
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
