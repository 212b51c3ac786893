import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { read, root } from "../support/repository.ts";

const page = read("docs/reference/command-line.md");

/** Each command with what it takes, as its own help says. */
async function commands(...names: string[]): Promise<Map<string, string[]>> {
  const { stdout } = await promisify(execFile)(process.execPath, ["src/main.ts", ...names, "--help"], { cwd: root });
  const section = (title: string) => new RegExp(`^${title}:\\n((?: {2}.*\\n?)+)`, "m").exec(stdout)?.[1] ?? "";
  const below = [...section("Commands").matchAll(/^ {2}(\w+)/gm)]
    .map(([, name = ""]) => name)
    .filter((name) => name !== "help");
  const found = await Promise.all(below.map((name) => commands(...names, name)));
  const options = [...section("Options").matchAll(/^ {2}(--[\w-]+(?: <[\w.]+>)?)/gm)].map(([, option = ""]) => option);
  const [, argument] = /^Usage: .*\[options\] (<\w+>)$/m.exec(stdout) ?? [];
  const own = [...options, ...(argument === undefined ? [] : [argument])];
  // Some commands only hold others together, and take nothing themselves.
  const takes = below.length === 0 || own.length > 0 ? [[names.join(" "), own] as const] : [];
  return new Map([...takes, ...found.flatMap((map) => [...map])]);
}

/** The same as the page has it. */
function documented(): Map<string, string[]> {
  return new Map(
    page
      .split(/^## /m)
      .slice(1)
      .map((chapter) => {
        const [name = ""] = chapter.split("\n", 1);
        const options = [...chapter.matchAll(/^\| `(--[^`]+)` \|/gm)].map(([, option = ""]) => option);
        const [, argument] = new RegExp(`^\`${name} (<\\w+>)\``, "m").exec(chapter) ?? [];
        return [name, [...options, ...(argument === undefined ? [] : [argument])]] as const;
      }),
  );
}

test("The page has a chapter for every command that --help lists, with every option and argument, and no other", async () => {
  const { "": program, ...found } = Object.fromEntries(await commands());
  expect(program).toEqual(["--version"]);
  expect(page).toContain("`--version`");
  expect(Object.keys(found).length).toBeGreaterThan(10);
  expect(Object.fromEntries(documented())).toEqual(found);
});

test("The page says which options are required, and the defaults", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["src/main.ts", "init", "--help"], { cwd: root });
  const [, fallback] = /\(default: "(\w+)"\)/.exec(stdout) ?? [];
  const shown = [...page.matchAll(/`--expires-in <duration>` \|.*Default: `(\w+)`/g)].map(([, value]) => value);
  expect(shown).toEqual([fallback, fallback]);
});
