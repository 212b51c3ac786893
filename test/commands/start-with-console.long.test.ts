import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newDataDirectory, processesOf } from "../embedded/place.ts";
import { makeCheckoutWithConsole } from "../support/checkout.ts";
import { type Running, startCommand } from "../support/command.ts";
import { until } from "../support/until.ts";

let checkout: { folder: string; main: string };
const env = { DATA_DIR: newDataDirectory(), PORT: "0", LOG_LEVEL: "warn", CONSOLE: "true" };
let server: Running | undefined;

beforeAll(async () => {
  checkout = await makeCheckoutWithConsole();
});
afterAll(async () => {
  await stopped();
  await rm(checkout.folder, { recursive: true });
});

async function stopped(): Promise<void> {
  server?.process.kill("SIGTERM");
  await server?.ended;
  server = undefined;
  // Its watchdog ends by itself, a moment after it.
  await until("Postgres and its watchdog to end", () => processesOf(env.DATA_DIR).length === 0);
}

/** Starts it, and resolves to where it listens and to everything that it tells newcomers. */
async function start(more: Record<string, string> = {}): Promise<{ url: string; said: string }> {
  server = startCommand(["start"], { env: { ...env, ...more }, main: checkout.main });
  const said = await server.until("stdout", /curl(.*\n){4}$/);
  return { url: /is running at (\S+),/.exec(said)?.[1] ?? "", said };
}

async function answersPage(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/`);
  return answer.status === 200 && (await answer.text()).includes("console-settings");
}

test("a start in an empty database, without the demo, says where it is and how to make the first owner", async () => {
  const { url, said } = await start({ DEMO: "false" });
  expect(said).toMatch(
    /\n\nDATA_DIR=\S+ npm run --silent cli -- init --organization Acme --login ann@acme.example\n\n/,
  );
  expect(said).toContain(`\nOpen ${url}/ in a browser and paste the token, or list what its owner sees:\n`);
  await stopped();
});

test("the first start says where the console is and which tokens it takes", async () => {
  const { url, said } = await start();
  expect(said).toContain(`\nOpen ${url}/ in a browser and paste one of the tokens below.\n`);
  expect(said).toMatch(/\n# carol owns the instance.*\nTOKEN=authz_\S+\ncurl /);
  expect(await answersPage(url)).toBe(true);
  await stopped();
});

test("a later start says where it is and how to make a token", async () => {
  const { url, said } = await start();
  expect(said).toContain(`\nOpen ${url}/ in a browser and paste the token that this prints:\n`);
  expect(said).toMatch(/\n\nDATA_DIR=\S+ npm run --silent cli -- token create --user carol\n\n/);
  expect(await answersPage(url)).toBe(true);
  await stopped();
});

test("a server whose console is not built still starts, and says how to build it", async () => {
  await rm(join(checkout.folder, "console/dist"), { recursive: true });
  const { url, said } = await start();
  expect(said).not.toContain("browser");
  expect(await server?.until("stderr", /npm run build:console/)).toContain(
    "the console is not built, so it is not served",
  );
  expect((await fetch(`${url}/`)).status).toBe(404);
  await stopped();
});
