import { demoWorld } from "../../demo/world.ts";
import { type Running, startCommand } from "../support/command.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

/** A database with the demo world. */
export async function createDemoWorld(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  await database.load(...demoWorld());
  return database;
}

/** A server process, and how to call it. */
export type Service = { readonly url: string; readonly running: Running; stop(): Promise<void> };

export async function startService(database: TestDatabase, settings: Record<string, string> = {}): Promise<Service> {
  const running = startCommand(["serve"], { env: { DATABASE_URL: database.url, PORT: "0", ...settings } });
  const said = await running.until("stderr", /Server listening at http[^"]*"/);
  return {
    running,
    url: /Server listening at (http:[^"]*)"/.exec(said)?.[1] ?? "",
    async stop() {
      running.process.kill("SIGTERM");
      await running.ended;
    },
  };
}
