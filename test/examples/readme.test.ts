import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { demoCallers, demoWorld } from "../../demo/world.ts";
import { read } from "../support/repository.ts";
import { serveTests } from "../support/server.ts";

const readme = read("README.md");
const { scripts } = JSON.parse(read("package.json"));

const server = await serveTests();
await server.database.load(...demoWorld());

test("The README is one screen: 100 lines at most", () => {
  expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(100);
});

test("The two commands of the first minute are there to be run", () => {
  const [, commands = ""] = /```sh\n(.*?)```/s.exec(readme) ?? [];
  expect(commands.trim().split("\n")).toEqual(["npm ci", "npm start"]);
  expect(scripts.start).toBeDefined();
});

test.each([
  ["carol", demoCallers.instanceOwner, 10_000],
  ["ann", demoCallers.organizationOwner, 3_021],
  ["bob", demoCallers.plainUser, 4],
])("%s sees as many assignments as the README says", async (name, id, total) => {
  const { body } = await server.call("ListAuthorizations", {}, { token: await server.database.token(id) });
  expect(body.pagination.totalResult).toBe(total);
  const [line = ""] = readme.match(new RegExp(`^- \\*\\*${name}\\*\\*.*$`, "m")) ?? [];
  expect(line.replaceAll(",", "")).toContain(` ${total}`);
});

test("The curl line works as it is pasted, and answers the total and one assignment", async () => {
  const [, curl = ""] = /```sh\n(curl .*?)```/s.exec(readme) ?? [];
  const pasted = curl.replace("http://127.0.0.1:8080", server.url);
  const env = { ...process.env, TOKEN: await server.database.token(demoCallers.instanceOwner) };
  const { stdout } = await promisify(execFile)("sh", ["-c", pasted], { env });
  const { pagination, authorizations } = JSON.parse(stdout);
  expect(pagination.totalResult).toBeGreaterThan(100);
  expect(authorizations).toMatchObject([
    { project: { id: "shop" }, roles: expect.arrayContaining([expect.objectContaining({ key: "auditor" })]) },
  ]);
});
