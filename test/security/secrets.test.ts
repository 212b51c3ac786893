import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { post } from "../support/call-headers.ts";
import { runCommand, startCommand, urlOf } from "../support/command.ts";
import { smallWorldOfTests } from "../support/database.ts";

/** What is to be nowhere: the password in DATABASE_URL, and a token in every form that could be used or looked up. */
const password = "open-sesame-of-this-test";
const database = await smallWorldOfTests();
const url = new URL(database.url);
// Where the server trusts whoever comes, any password does.
if (!url.searchParams.has("password") && url.password === "") url.searchParams.set("password", password);
const env = { DATABASE_URL: url.toString(), PORT: "0", LOG_LEVEL: "trace" };
const token = (await runCommand(["token", "create", "--user", "root"], { env })).stdout.trim();
const hash = createHash("sha256").update(token).digest();
const forms = [
  token.slice("authz_".length),
  ...(["hex", "base64", "base64url"] as const).map((form) => hash.toString(form)),
];
const server = startCommand(["serve"], { env });
afterAll(async () => {
  server.process.kill("SIGKILL");
  await server.ended;
});
await useIt(await urlOf(server));

/** As it should be used, as it should not, and while the service fails. */
async function useIt(url: string): Promise<void> {
  const call = async (authorization: string) => {
    const answer = await post(url, "", "ListAuthorizations", {}, { headers: { authorization } });
    expect(await answer.text()).not.toContain(token);
    return answer.status;
  };
  expect(await call(`Bearer ${token}`)).toBe(200);
  expect(await call(`Basic ${token}`)).toBe(401);
  expect(await call(`Bearer ${token}.`)).toBe(401);
  await database.query("alter table tokens rename column hash to gone");
  expect(await call(`Bearer ${token}`)).toBe(500);
  await database.query("alter table tokens rename column gone to hash");
}

function expectNone(text: string, ...secrets: string[]): void {
  expect(text.length).toBeGreaterThan(0);
  for (const secret of secrets) expect(text.includes(secret), `found ${secret}`).toBe(false);
}

test("No row of any table holds a token, and one holds its hash", async () => {
  const tables = await database.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await database.query<{ row: string }>(`select t::text as row from ${name} t`);
    texts.push(...rows.map(({ row }) => row));
  }
  const all = texts.join("\n");
  const [secret = "?", hash = "?"] = forms;
  expectNone(all, secret);
  expect(all.split(hash)).toHaveLength(2);
});

test("No statement that Postgres shows holds a token or its hash: both travel as parameters", async () => {
  const rows = await database.query<{ query: string }>(
    "select query from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  expectNone(rows.map(({ query }) => query).join("\n"), ...forms);
});

test("No command line of any process holds a token or the password of DATABASE_URL", async () => {
  const lines = await commandLines();
  expect(lines).toContain("serve");
  expectNone(lines, ...forms, password);
});

async function commandLines(): Promise<string> {
  if (process.platform !== "linux") return (await promisify(execFile)("ps", ["-axww", "-o", "command"])).stdout;
  const processes = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  // Some are gone by now.
  return (await Promise.all(processes.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")))).join(
    "\n",
  );
}

test("No export and no list of tokens holds a token or its hash", async () => {
  for (const args of [["export"], ["token", "list"]]) {
    const { code, stdout, stderr } = await runCommand(args, { env });
    expect(code).toBe(0);
    expectNone(stdout + stderr, ...forms, password);
  }
});

test("No line of the log holds a token, its hash or the password of DATABASE_URL, also when the service fails", async () => {
  const log = await server.until("stderr", /unexpected failure/);
  expectNone(log, ...forms, password);
});
