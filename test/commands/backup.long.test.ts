import { execFile } from "node:child_process";
import { mkdir, rename } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { post } from "../support/call-headers.ts";
import { linesOf, runCommand } from "../support/command.ts";
import { folderOfTests } from "../support/folders.ts";
import { serveInTest, stop } from "../support/start-in-test.ts";
import { smallWorld } from "../support/world.ts";

const folder = await folderOfTests("authorization-backup");

/** Runs a command on the embedded Postgres in a folder, which must succeed. */
async function command(args: string[], dataDirectory: string, input?: string): Promise<string> {
  const ended = await runCommand(args, { env: { DATA_DIR: dataDirectory }, ...(input === undefined ? {} : { input }) });
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  return ended.stdout;
}

async function serve(dataDirectory: string) {
  const server = await serveInTest({ DATA_DIR: dataDirectory });
  const call = async (rpc: string, request: object, token: string) => {
    const answer = await post(server.url, token, rpc, request);
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  return { server, call };
}

// It starts a dozen processes, and Postgres four times.
const patience = { timeout: 180_000 };

test(
  "DATA_DIR, copied while the server is stopped, has everything in another place: data, history and tokens",
  patience,
  async () => {
    const [original, copy] = [path.join(folder, "original"), path.join(folder, "elsewhere", "copy")];
    await command(["import", "-"], original, linesOf(...smallWorld));
    const token = (await command(["token", "create", "--user", "root"], original)).trim();
    const before = await serve(original);
    const update = { id: "a1", roleKeys: ["auditor"] };
    expect(await before.call("UpdateAuthorization", update, token)).toMatchObject({ status: 200 });
    const list = await before.call("ListAuthorizations", {}, token);
    expect(list).toMatchObject({ status: 200, body: { pagination: { totalResult: 6 } } });
    await stop(before.server);
    // Stopping stored when the token was last used.
    const expected = await everything(original);

    await mkdir(path.dirname(copy));
    await promisify(execFile)("cp", ["-a", original, copy]);
    // Nothing in the copy may lead back.
    await rename(original, path.join(folder, "away"));

    const after = await serve(copy);
    expect(await everything(copy)).toEqual(expected);
    expect(await after.call("ListAuthorizations", {}, token)).toEqual(list);
    expect(await after.call("DeactivateAuthorization", { id: "a1" }, token)).toMatchObject({ status: 200 });
    await command(["check"], copy);
    await stop(after.server);
  },
);

/** What is not in a list: all there is, the history of what was changed, and the tokens. */
async function everything(dataDirectory: string): Promise<string[]> {
  return [
    await command(["export"], dataDirectory),
    await command(["events", "--authorization", "a1"], dataDirectory),
    await command(["token", "list"], dataDirectory),
  ];
}
