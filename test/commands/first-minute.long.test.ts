import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoLevels } from "../../demo/world.ts";
import { newDataDirectory, processesOf } from "../embedded/place.ts";
import { post } from "../support/call-headers.ts";
import { type Running, runCommand, startCommand } from "../support/command.ts";
import { startHttpServer } from "../support/http-server.ts";
import { root } from "../support/repository.ts";
import { stop } from "../support/start-in-test.ts";
import { until } from "../support/until.ts";

/** Runs what was printed, as it was printed, the way people do. */
async function paste(text: string, env: Record<string, string> = {}): Promise<any> {
  const { stdout } = await promisify(execFile)("bash", ["-c", text], { cwd: root, env: { ...process.env, ...env } });
  return JSON.parse(stdout);
}

describe("the first minute", () => {
  let env: Record<string, string>;
  let server: Running | undefined;
  let said: string;

  beforeAll(async () => {
    env = { DATA_DIR: newDataDirectory(), PORT: "0", LOG_LEVEL: "warn" };
    server = startCommand(["start"], { env });
    said = await server.until("stdout", /bob(.*\n){6}$/);
  });
  afterAll(() => stopped());

  /** Starts the server once more if no one runs. */
  async function running(): Promise<string> {
    server ??= startCommand(["start"], { env });
    const all = await server.until("stdout", /curl(.*\n){4}$/);
    return /http:\/\/127\.0\.0\.1:\d+/.exec(all)?.[0] ?? "";
  }

  async function stopped(): Promise<void> {
    if (server !== undefined) await stop(server);
    server = undefined;
    await nothingLeft();
  }

  /** The watchdog of Postgres ends by itself, a moment after it. */
  const nothingLeft = () =>
    until("Postgres and its watchdog to end", () => processesOf(env.DATA_DIR ?? "").length === 0);

  test("start on nothing loads the demo world and prints three calls whose answers differ", async () => {
    const url = await running();
    // Another test may have started the server anew, on another port.
    const [more = "", ...calls] = said.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, url).split(/^# .*$/m);
    expect(calls).toHaveLength(3);
    const answers = await Promise.all(calls.map((call) => paste(call)));
    const totals = answers.map(({ pagination }) => pagination.totalResult);
    expect(totals).toEqual([10_000, expect.any(Number), 4]);
    expect(totals[1]).toBeGreaterThan(2_000);
    expect(totals[1]).toBeLessThan(4_000);
    for (const { authorizations } of answers) expect(authorizations[0].user.displayName).not.toBe("");
    const administrators = [...more.matchAll(/^(TOKEN=authz_\S+) # (\S+) .+$/gm)];
    expect(administrators).toHaveLength(demoLevels.length);
    const [, , curl = ""] = /^(TOKEN=[^\n]*\n)(curl.*)/ms.exec(calls[0] ?? "") ?? [];
    for (const [, token = ""] of administrators) {
      const { pagination } = await paste(`${token}\n${curl}`);
      expect(pagination.totalResult).toBeGreaterThan(4);
    }
  });

  test("a token made while the server runs works for the very next request, and ends as soon as it is revoked", async () => {
    const url = await running();
    const { code, stdout } = await runCommand(["token", "create", "--user", "bob"], { env });
    expect(code).toBe(0);
    expect((await post(url, stdout.trim())).status).toBe(200);
    const { stdout: tokens } = await runCommand(["token", "list", "--user", "bob"], { env });
    const [demoToken, ...others] = tokens
      .trimEnd()
      .split("\n")
      .map((line) => line.split("\t"));
    const days = (Date.parse(demoToken?.[3] ?? "") - Date.parse(demoToken?.[2] ?? "")) / 86_400_000;
    expect(days).toBe(7);
    await runCommand(["token", "revoke", others.at(-1)?.[0] ?? ""], { env });
    expect((await post(url, stdout.trim())).status).toBe(401);
  });

  test("a second start loads nothing, and what it prints makes a token that works", async () => {
    await stopped();
    server = startCommand(["start"], { env });
    const again = await server.until("stdout", /curl(.*\n){4}$/);
    expect(again).not.toContain("authz_");
    expect(again).not.toContain("demo");
    // CONSOLE=false.
    expect(again).not.toContain("browser");
    expect((await fetch(`${await running()}/`)).status).toBe(404);
    const [commands] = /^TOKEN=.*/ms.exec(again) ?? [];
    const answer = await paste(commands ?? "", env);
    expect(answer.pagination.totalResult).toBe(10_000);
  });

  test("a command alone starts the database and stops it again", async () => {
    await stopped();
    const { code, stdout, stderr } = await runCommand(["token", "list"], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("\tcarol\t");
    await nothingLeft();
  });

  test("a port that is in use is said so, and the database is stopped", async () => {
    await stopped();
    const other = await startHttpServer(() => {});
    const { port: PORT } = new URL(other.url);
    const { code, stderr } = await runCommand(["serve"], { env: { ...env, PORT } });
    await other.stop();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `127.0.0.1:${PORT} is already in use: choose another port with PORT.\n`,
    });
    await nothingLeft();
  });
});

describe("on a database of its own that is empty", () => {
  const env = { DATA_DIR: newDataDirectory(), PORT: "0", DEMO: "false" };

  test("DEMO=false loads no demo world, and the command it prints makes the first owner, whose token works", async () => {
    const server = startCommand(["start"], { env });
    const said = await server.until("stdout", /curl(.*\n){4}$/);
    const [, command = "", call = ""] = /^(.*npm run .* init .*)$.*^TOKEN=PASTE_IT_HERE\n(curl.*)/ms.exec(said) ?? [];
    expect(command).toMatch(
      /^DATA_DIR=\S+ npm run --silent cli -- init --organization Acme --login ann@acme\.example$/m,
    );
    const answer = await paste(`TOKEN=$(${command})\n${call}`);
    expect(answer).toMatchObject({ pagination: { totalResult: 0 }, authorizations: [] });
    await expect(paste(command)).rejects.toThrow("already owns this instance");
    await stop(server);
  });

  test("init before any start makes the database, which then gets no demo world", async () => {
    const own = { DATA_DIR: newDataDirectory(), PORT: "0" };
    const { code, stdout, stderr } = await runCommand(["init", "--organization", "Acme", "--login", "ann"], {
      env: own,
    });
    expect(code).toBe(0);
    expect(stderr).toContain(`start it: DATA_DIR=${own.DATA_DIR} npm start\n`);
    const server = startCommand(["start"], { env: own });
    const said = await server.until("stdout", /curl(.*\n){4}$/);
    expect(said).not.toContain("demo");
    const [, call] = /^TOKEN=.*?$(.*)/ms.exec(said) ?? [];
    expect((await paste(`TOKEN=${stdout.trim()}${call}`)).pagination.totalResult).toBe(0);
    await stop(server);
  });

  test("an import alone fills it, and is complete even if Ctrl-C came in between", async () => {
    const importing = startCommand(["import", "-"], {
      env,
      input: '{"organization":{"id":"acme","name":"Acme"}}\n'.repeat(10_000),
      keepInputOpen: true,
    });
    await importing.until("stderr", /^10000 lines read$/m);
    importing.process.kill("SIGINT");
    await importing.ended;
    const input = '{"organization":{"id":"globex","name":"Globex"}}\n';
    expect(await runCommand(["import", "-"], { env, input })).toMatchObject({ code: 0 });
    const server = startCommand(["start"], { env: { ...env, DEMO: "true" } });
    expect(await server.until("stdout", /curl(.*\n){4}$/)).not.toContain("demo");
    await stop(server);
  });
});
