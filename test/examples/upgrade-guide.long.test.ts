import { appendFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { makeNextRelease } from "../rolling/next-release.ts";
import { type CommandOptions, runCommand, startCommand, urlOf } from "../support/command.ts";
import { databaseOfTests } from "../support/database.ts";
import { blocksOf, outputLike } from "../support/page.ts";
import { read } from "../support/repository.ts";
import { stop } from "../support/start-in-test.ts";

const guide = "docs/how-to/upgrade.md";
const [applied = "", upToDate = "", started = "", stopped = ""] = blocksOf(guide)
  .filter(({ language }) => language === "text")
  .map(({ code }) => code.trimEnd().replace("0009_notes", "9000_invented"));

const database = await databaseOfTests();
let next = await makeNextRelease();

/** The settings of a command, of the next release or of this one. */
function options(main?: string): CommandOptions {
  return { main, env: { DATABASE_URL: database.url, PORT: "0", MIGRATE: "false" } };
}

test("An upgrade and the way back print what the guide shows", async () => {
  const text = read(guide).replaceAll("0009_notes", "9000_invented");
  const early = await runCommand(["serve"], options(next));
  expect(early.code).toBe(1);
  expect(text).toContain(`| \`${early.stderr.trimEnd()}\` |`);

  const failing = path.join(path.dirname(next), "../migrations/9000_invented.sql");
  const { stderr: ours } = await runCommand(["migrate"], options());
  expect(ours.trimEnd()).toBe(upToDate);
  await appendFile(failing, "select 1 / 0;");
  const failed = await runCommand(["migrate"], options(next));
  expect(failed.code).toBe(1);
  expect(text).toContain(`| \`${failed.stderr.replace("division by zero\n", "…")}\` |`);

  next = await makeNextRelease();
  const migrated = await runCommand(["migrate"], options(next));
  expect(migrated).toMatchObject({ code: 0, stderr: `${applied}\n` });

  for (const main of [next, undefined]) {
    const server = startCommand(["serve"], options(main));
    const url = await urlOf(server);
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([200, '{"status":"ready"}']);
    const lines = (await stop(server)).stderr.trimEnd().split("\n");
    expect(lines.slice(0, 2).join("\n")).toMatch(outputLike(started));
    expect(lines.slice(-2).join("\n")).toMatch(outputLike(stopped));
  }
});

test("The commands for Compose and Kubernetes name what the files of the repository have", () => {
  const commands = blocksOf(guide)
    .filter(({ language }) => language === "sh")
    .map(({ code }) => code)
    .join("");
  const services = Object.keys(parse(read("docker-compose.yml")).services);
  const named = [...commands.matchAll(/docker compose [a-z]+ (?:-\S+ (?:\d+ )?)*(\w+)/g)].map(([, service]) => service);
  expect(named.length).toBeGreaterThan(5);
  expect(services).toEqual(expect.arrayContaining(named));

  const files = [...new Set(commands.match(/deploy\/kubernetes\/[\w.-]+/g))];
  const documents = files.map(read).flatMap((text) => parseAllDocuments(text));
  const things = documents
    .map((document) => document.toJS())
    .map(({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name}`);
  const asked = [...commands.matchAll(/\b(job|deployment)[ /]([\w-]+)/g)].map(([, kind, name]) => `${kind}/${name}`);
  expect(asked.length).toBeGreaterThan(4);
  expect(things).toEqual(expect.arrayContaining(asked));
});
