import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { type Block, blocksOf } from "../support/page.ts";
import { root } from "../support/repository.ts";
import { openShell, type Shell } from "./shell.ts";

/** What the README says to do if the port is taken. */
const port = "8081";
export const url = `http://127.0.0.1:${port}`;

/** The variables that are the machine's own: where programs are, and how they reach their registries. */
const machine: Record<string, string | undefined> = Object.fromEntries(
  Object.entries(process.env).filter(([name]) =>
    /^(PATH|HOME|LANG|TMPDIR|GO.*|PIP_.*|.*_CERTS?(_FILE|_DIR)?|.*_proxy)$/i.test(name),
  ),
);

export type Newcomer = Awaited<ReturnType<typeof startNewcomer>>;

/** A reader who has just run `npm ci` and `PORT=8081 npm start`, as the README says. */
export async function startNewcomer() {
  for (const command of ["go", "python3"])
    if (spawnSync(command, ["--help"]).error) throw new Error(`Install ${command}, then run this again.`);
  const home = await mkdtemp(path.join(tmpdir(), "newcomer-"));
  const env = { ...machine, DATA_DIR: path.join(home, "data"), PATH: await newestNpm(home), BASE_URL: url };

  const npm = spawn("npm", ["start"], { cwd: root, env: { ...env, PORT: port }, detached: true });
  let said = "";
  for (const stream of [npm.stdout, npm.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  const ended = once(npm, "close");
  const over = ended.then(() => Promise.reject(new Error(`npm start ended: ${said}`)));
  while (!/# bob .*\nTOKEN=\S+\n/.test(said)) await Promise.race([once(npm.stdout, "data"), over]);
  over.catch(() => {});
  const printed = [...said.matchAll(/^# (\w+) .*\nTOKEN=(\S+)$/gm)];

  return {
    /** The printed tokens by user. */
    tokens: Object.fromEntries(printed.map(([, user = "", token = ""]) => [user, token])) as Record<string, string>,
    /** An empty folder outside of the repository. */
    emptyFolder: () => mkdtemp(path.join(home, "empty-")),
    shell: (folder: string) => openShell(folder, env),
    async stop() {
      process.kill(-(npm.pid ?? 0), "SIGINT");
      await ended;
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** The newest npm with our Node, which is a newcomer's newest Node. Resolves to the PATH to both. */
async function newestNpm(home: string): Promise<string> {
  const bin = path.join(home, "node_modules/.bin");
  const { npm_execpath: script, npm_node_execpath: program } = process.env;
  const [command, before] = script && program ? [program, [script]] : ["npm", []];
  await writeFile(path.join(home, "package.json"), "{}");
  const install = ["install", "--no-audit", "--no-fund", "--loglevel=error", "npm@latest"];
  await promisify(execFile)(command, [...before, ...install], { cwd: home });
  await symlink(process.execPath, path.join(bin, "node"));
  return `${bin}:${machine.PATH}`;
}

/** A block of commands of a page, what the page shows below it, and what came. */
export type Followed = {
  readonly commands: string;
  readonly shown: string | undefined;
  readonly output: string;
  readonly failed: readonly string[];
};

/** What the reader puts in: text of the page → text. */
export type Replacements = Readonly<Record<string, string>>;

/** Saves the files of a page and runs its commands, from top to bottom. */
export async function follow(shell: Shell, file: string, replacements: Replacements): Promise<Followed[]> {
  const blocks = blocksOf(file);
  const followed: Followed[] = [];
  for (const [index, { language, code, saveAs }] of blocks.entries()) {
    if (saveAs !== undefined) {
      const { failed } = await shell.run(
        `mkdir -p "$(dirname ${saveAs})"\ncat > ${saveAs} <<'END OF FILE'\n${code}END OF FILE`,
      );
      if (failed.length > 0) throw new Error(`${saveAs} can't be saved`);
    } else if (language === "sh") {
      const commands = replaced(code, replacements);
      const printed = await shell.run(commands);
      followed.push({ commands, shown: shownBelow(blocks[index + 1]), ...printed });
      // Pages that need the id of what was created call it ID.
      const [, id] = /^\{"id":"([^"]+)"/.exec(printed.output) ?? [];
      if (id !== undefined) await shell.run(`ID=${id}`);
    }
  }
  return followed;
}

/** What a page shows below its commands is what they print. */
function shownBelow(block: Block | undefined): string | undefined {
  if (block === undefined || !/^(text|json)$/.test(block.language) || block.saveAs !== undefined) return undefined;
  return block.code.trimEnd();
}

function replaced(code: string, replacements: Replacements): string {
  return Object.entries({ "127.0.0.1:8080": `127.0.0.1:${port}`, ...replacements }).reduce(
    (text, [found, instead]) => text.replaceAll(found, instead),
    code,
  );
}
