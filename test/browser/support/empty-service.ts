import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { type Service, startService } from "./process.ts";

const main = path.join(import.meta.dirname, "../../../src/main.ts");

/** Starts a service whose first owner has just been made: with an organization and a token, and nothing else. */
export async function startEmptyService(dataDirectory: string): Promise<Service & { readonly token: string }> {
  const env = { PATH: process.env.PATH ?? "", DATA_DIR: dataDirectory };
  const owner = ["init", "--organization", "Initech", "--login", "olive@initech.example", "--name", "Olive Orr"];
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...owner], { env });
  const service = await startService({ DATA_DIR: dataDirectory, PORT: "0", DEMO: "false" });
  return { ...service, token: stdout.trim() };
}
