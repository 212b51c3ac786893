import { execFile } from "node:child_process";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { pageOf } from "../support/page.ts";
import { env, go, sources } from "./places.ts";

const run = promisify(execFile);
const files = ["buf.gen.yaml", "connect/main.go", "grpc/main.go"];

/** Does what docs/how-to/call-from-go.md says, in an empty folder, but for the tools that are installed already. */
export async function followGoPage(folder: string, url: string): Promise<void> {
  const page = pageOf("call-from-go");
  await rm(folder, { recursive: true, force: true });
  for (const name of files) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), page.file(name));
  }
  const commands = page.commands().filter((command) => !/^go install |go run /.test(command));
  for (const command of commands) {
    await run("sh", ["-c", command.replaceAll("127.0.0.1:8080", url.replace("http://", ""))], { cwd: folder, env });
  }
}

/** Builds the program that makes calls for tests, with what the page generates. */
export async function buildGoCaller(url: string): Promise<void> {
  await followGoPage(go.folder, url);
  await cp(path.join(sources, "go"), path.join(go.folder, "caller"), { recursive: true });
  await run("go", ["build", "-o", path.join(go.bin, "caller"), "./caller"], { cwd: go.folder, env });
}
