import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { afterAll } from "vitest";
import { demoCallers, demoWorld } from "../../demo/world.ts";
import { type Running, startCommand, urlOf } from "../support/command.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { cache } from "./places.ts";

/** A server process, and how to call it. */
export type Service = { readonly url: string; readonly running: Running; stop(): Promise<void> };

export async function startService(database: TestDatabase, settings: Record<string, string> = {}): Promise<Service> {
  const running = startCommand(["serve"], { env: { DATABASE_URL: database.url, PORT: "0", ...settings } });
  return {
    running,
    url: await urlOf(running),
    async stop() {
      running.process.kill("SIGTERM");
      await running.ended;
    },
  };
}

/** A server with the demo world, and a folder for programs that call it, for all tests of a file. */
export async function serveDemo(name: string, env: Record<string, string> = {}) {
  const database = await createTestDatabase();
  await database.load(...demoWorld());
  const service = await startService(database, env);
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(path.join(cache, `${name}-`));
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await service.stop();
    await database.drop();
  });
  const token = await database.token(demoCallers.instanceOwner);
  const [row] = await database.query<{ count: string }>(
    "select count(*) from authorizations where project_id = 'shop'",
  );
  const settings = { BASE_URL: service.url, ADDRESS: service.url.replace("http://", ""), TOKEN: token };
  return { database, service, token, folder, settings, shop: `${row?.count} assignments in the Shop` };
}
