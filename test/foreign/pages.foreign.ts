// Runs the code of the how-to guides about clients, as it is on the page.

import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { pageOf } from "../support/page.ts";
import { followGoPage } from "./follow-go.ts";
import { env, node } from "./places.ts";
import { serveDemo } from "./service.ts";

const run = promisify(execFile);

const { service, folder, settings, shop } = await serveDemo("pages");

/** Runs a command of a page against this server, with the settings that the page's readers have. */
async function sh(command: string, cwd = folder): Promise<string[]> {
  const here = command.replaceAll("127.0.0.1:8080", settings.ADDRESS ?? "");
  const { stdout } = await run("sh", ["-c", here], { cwd, env: { ...env, ...settings } });
  return stdout.trimEnd().split("\n");
}

const refused = "refused: AUTHORIZATION_NOT_FOUND";

test("docs/how-to/call-from-go.md generates code, lists and says why it was refused", async () => {
  const app = path.join(folder, "go");
  await followGoPage(app, service.url);
  const commands = pageOf("call-from-go")
    .commands()
    .filter((command) => command.includes("go run "));
  expect(commands).toHaveLength(2);
  for (const command of commands) expect(await sh(command, app)).toEqual([shop, refused]);
});

describe("docs/how-to/call-from-python.md", () => {
  const page = pageOf("call-from-python");
  const commands = page.commands();

  test("installs what the other tests use", async () => {
    const installed = (await sh("python -m pip freeze")).map((line) =>
      line.replace("zitadel_client", "zitadel-client"),
    );
    const asked = commands
      .filter((command) => command.startsWith("pip install"))
      .flatMap((line) => line.split(" ").slice(2));
    expect(asked).toHaveLength(4);
    expect(installed).toEqual(expect.arrayContaining(asked));
  });

  test.each([
    ["plain.py", refused],
    ["with_grpc.py", refused],
    ["with_zitadel.py", "refused: 404"],
  ])("%s lists, and says why it was refused", async (name, why) => {
    await writeFile(path.join(folder, name), page.file(name));
    if (name === "with_grpc.py")
      for (const command of commands.filter((line) => /^(grpcurl|python -m)/.test(line))) await sh(command);
    const [command = ""] = commands.filter((line) => line.includes(`python ${name}`));
    expect(await sh(command)).toEqual([shop, why]);
  });
});

describe("docs/how-to/call-from-typescript.md", () => {
  const page = pageOf("call-from-typescript");

  test.each([
    ["own.ts", [/^\d+ assignments in the Shop$/, /^refused: AUTHORIZATION_NOT_FOUND$/]],
    ["zitadel-node.ts", [/^\d+ assignments in the Shop$/, /^refused: .*NOT_FOUND/]],
    ["zitadel-client.ts", [/^10000 assignments in all$/]],
  ])("%s runs as it is", async (name, expected) => {
    // Beside the packages it needs.
    const file = path.join(node.folder, name);
    await writeFile(file, page.file(name));
    const lines = await sh(`node ${name}`, node.folder);
    expect(lines).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
  });
});

describe("docs/how-to/call-with-curl-and-grpcurl.md", () => {
  const commands = pageOf("call-with-curl-and-grpcurl")
    .commands()
    .filter((command) => !command.startsWith("export "));

  test.each(commands)("%s", async (command) => {
    const said = (await sh(command)).join("\n");
    if (command.includes("/ListAuthorizations")) expect(JSON.parse(said).pagination.totalResult).toBeGreaterThan(1_000);
    else if (command.includes("Health/Check")) expect(JSON.parse(said)).toEqual({ status: "SERVING" });
    else if (command.endsWith(" list")) expect(said).toContain("zitadel.authorization.v2.AuthorizationService");
    else expect(said).toContain("sorting_column");
  });
});
