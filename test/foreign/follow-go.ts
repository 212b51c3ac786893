import { execFile } from "node:child_process";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { pageOf } from "../support/page.ts";
import { env, go, sources } from "./places.ts";

const run = promisify(execFile);
const files = ["buf.gen.yaml", "connect/main.go", "grpc/main.go"];

const describedService = "service.authorization.v2.AuthorizationService";

/** Does what docs/how-to/call-from-go.md says, in an empty folder, but for the tools that are installed already. */
export async function followGoPage(folder: string, url: string, service = describedService): Promise<void> {
  const page = pageOf("call-from-go");
  const adapt = (text: string) => text.replaceAll(describedService, service);
  await rm(folder, { recursive: true, force: true });
  for (const name of files) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), adapt(page.file(name)));
  }
  const commands = page.commands().filter((command) => !/^go install |go run /.test(command));
  for (const command of commands) {
    const adapted = adapt(command).replaceAll("127.0.0.1:8080", url.replace("http://", ""));
    await run("sh", ["-c", adapted], { cwd: folder, env });
  }
}

/** Builds a program of tests, with what the page generates for a service. Resolves to its file. */
export async function buildGo(name: "caller" | "watch", url: string, service?: string): Promise<string> {
  const folder = path.join(go.folder, name);
  await followGoPage(folder, url, service);
  await cp(path.join(sources, "go", name), path.join(folder, name), { recursive: true });
  const file = path.join(go.bin, name);
  await run("go", ["build", "-o", file, `./${name}`], { cwd: folder, env });
  return file;
}
