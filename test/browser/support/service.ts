import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { type Service, startService } from "./process.ts";

/** A folder for the data of a service that a test has to itself. */
export async function dataDirectoryOfTest(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "console-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A service that one test has to itself. It stops with the test at last. */
export async function serviceOfTest(env: Record<string, string>): Promise<Service> {
  const service = await startService({ DATA_DIR: await dataDirectoryOfTest(), PORT: "0", ...env });
  onTestFinished(() => service.stop());
  return service;
}
