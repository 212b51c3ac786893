import { runCommand } from "../../support/command.ts";
import { type Service, startService } from "./process.ts";

/** Starts a service whose first owner has just been made: with an organization and a token, and nothing else. */
export async function startEmptyService(dataDirectory: string): Promise<Service & { readonly token: string }> {
  const owner = ["init", "--organization", "Initech", "--login", "olive@initech.example", "--name", "Olive Orr"];
  const { stdout } = await runCommand(owner, { env: { DATA_DIR: dataDirectory } });
  const service = await startService({ DATA_DIR: dataDirectory, PORT: "0", DEMO: "false" });
  return { ...service, token: stdout.trim() };
}
