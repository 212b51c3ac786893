import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { folderOfTests } from "../support/folders.ts";
import { blocksOf } from "../support/page.ts";
import { root } from "../support/repository.ts";
import { serveSmallWorld } from "../support/server.ts";
import { role } from "../support/world.ts";

const blocks = blocksOf("docs/how-to/access-as-code.md");
const [cli = "", start = "", change = "", check = "", apply = "", own = "", preview = "", send = ""] = blocks
  .filter(({ language }) => language === "sh")
  .map(({ code }) => code);

const { server, root: token } = await serveSmallWorld();
const folder = await folderOfTests("access-as-code");
await writeFile(join(folder, "changes.mjs"), blocks.find(({ language }) => language === "js")?.code ?? "");
await run("git init --quiet; git config user.name Test; git config user.email test@acme.example");

/** Runs commands as a pipeline does: in the repository, until the first one fails. */
async function run(...commands: string[]): Promise<string> {
  const { PATH = "", HOME = "" } = process.env;
  const settings = { DATABASE_URL: server.database.url, AUTHORIZATION_SERVICE: root, URL: server.url, TOKEN: token };
  const options = { cwd: folder, env: { PATH, HOME, ...settings } };
  const { stdout } = await promisify(execFile)("bash", ["-e", "-o", "pipefail", "-c", commands.join("\n")], options);
  return stdout;
}

const roleNames = async () => {
  const rows = await server.database.query<{ name: string }>(
    "select key || ' ' || display_name as name from project_roles where project_id = 'shop' order by key",
  );
  return rows.map(({ name }) => name);
};

// One after the other, as the page goes.
test("the difference shows what a change of the file would do, and what follows", async () => {
  await run(cli, start);
  expect(await run(cli, check)).toBe("0 changes read: 0 would be added, 0 changed, 0 removed.\n");
  const lines = (await run(cli, change, check)).split("\n");
  expect(lines).toContain('~ projectRole {"projectId":"shop","key":"seller"} displayName: "Seller" -> "Salesperson"');
  expect(lines).toContain('- projectRole {"projectId":"shop","key":"owner","displayName":"Owner"}');
  expect(lines.at(-2)).toBe("2 changes read: 0 would be added, 1 changed, 1 removed; 1 assignment would follow.");
  expect(await roleNames()).toEqual(["auditor Auditor", "owner Owner", "seller Seller"]);
});

test("what was not reviewed is not applied, and what was is", async () => {
  await server.database.load(role("shop", "visitor", "Visitor"));
  await expect(run(cli, apply)).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining("visitor") });
  expect(await roleNames()).toContain("seller Seller");
  await server.database.load({ remove: { projectRole: { projectId: "shop", key: "visitor" } } });
  await run(cli, apply);
  expect(await roleNames()).toEqual(["auditor Auditor", "seller Salesperson"]);
  expect(await run(cli, check)).toBe("0 changes read: 0 would be added, 0 changed, 0 removed.\n");
  const events = await server.database.query("select from directory_events where reason = 'Pull request 12'");
  expect(events).toHaveLength(2);
  await run("git commit --quiet --all --message Reviewed");
});

test("an administrator applies what hasn't changed since its dry run", async () => {
  await run(own, preview);
  expect(JSON.parse(await readFile(join(folder, "preview.json"), "utf8")).outcomes).toMatchObject([
    { effect: "EFFECT_CHANGED", changedFields: ["displayName"] },
  ]);
  await server.database.load(role("shop", "auditor", "Auditor of everything"));
  const functions = preview.slice(0, preview.indexOf("echo"));
  await expect(run(functions, send)).rejects.toMatchObject({ code: 22 });
  expect(await readFile(join(folder, "applied.json"), "utf8")).toContain("DIRECTORY_CHANGED");
  await run(preview, send);
  expect(await roleNames()).toContain("auditor Inspector");
});
