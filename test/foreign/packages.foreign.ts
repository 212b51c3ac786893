// The Go module and the Python package, tried as they would be published, and the workflow that releases the image.

import { execFile } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { read, root } from "../support/repository.ts";
import { env, python } from "./places.ts";
import { serveDemo } from "./service.ts";

const exec = promisify(execFile);

const { folder, settings, shop } = await serveDemo("packages");
const expected = `${shop}\n`;
const clients = path.join(folder, "clients");

async function run(cwd: string, command: string, ...args: string[]): Promise<string> {
  return (await exec(command, args, { cwd, env: { ...env, ...goEnv(), ...settings } })).stdout;
}

/** Modules come from the folder first, which is laid out as a proxy of modules. */
function goEnv(): Record<string, string> {
  const GOPROXY = `file://${folder}/proxy,${process.env.GOPROXY ?? "https://proxy.golang.org"}`;
  return { GOPROXY, GONOSUMDB: goModule, GOFLAGS: "-mod=mod -modcacherw" };
}

const { goModule, repository, site } = JSON.parse(read("deploy/placeholders.json"));
const { version } = JSON.parse(read("package.json"));
await run(root, process.execPath, "scripts/build-clients.ts", "--folder", clients);

/** The first block of code in a language. */
async function codeOf(readme: string, language: string): Promise<string> {
  const text = await readFile(path.join(clients, readme), "utf8");
  return new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "m").exec(text)?.[1] ?? "";
}

test("the Python package installs from its wheel, alone, and its README's program lists", {
  timeout: 240_000,
}, async () => {
  const venv = path.join(folder, "venv");
  await run(folder, python.program, "-m", "venv", venv);
  const program = path.join(venv, "bin/python");
  const wheel = path.join(clients, `authorization_service_client-${version}-py3-none-any.whl`);
  await run(folder, program, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel);
  await writeFile(path.join(folder, "program.py"), await codeOf("python/README.md", "python"));
  expect(await run(folder, program, "program.py")).toBe(expected);
  for (const line of [`version = "${version}"`, `Homepage = "${site}"`, `Repository = "${repository}"`]) {
    expect(read("client/python/pyproject.toml")).toContain(`${line}\n`);
  }
  const listed = await run(folder, program, "-m", "zipfile", "--list", wheel);
  expect(listed).toMatch(/authorization_service\/py\.typed[\s\S]*licenses\/LICENSE/);
});

test("the Go module is fetched from a proxy, and its README's program lists", { timeout: 240_000 }, async () => {
  await publishModule();
  const app = path.join(folder, "app");
  await mkdir(app);
  await writeFile(path.join(app, "main.go"), await codeOf("go/README.md", "go"));
  await run(app, "go", "mod", "init", "example.com/app");
  const get = (await codeOf("go/README.md", "sh")).trim();
  expect(get).toBe(`go get ${goModule}@v${version}`);
  await run(app, "sh", "-c", get);
  expect(await run(app, "go", "run", ".")).toBe(expected);
});

/** Zips the files below a folder. Go accepts no entries for folders. */
const zipFiles = `
import pathlib, sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as archive:
    for file in sorted(pathlib.Path(".").rglob("*")):
        if file.is_file():
            archive.write(file)
`;

/** Lays the module out as a proxy has it. */
async function publishModule(): Promise<void> {
  const versions = path.join(folder, "proxy", goModule, "@v");
  await mkdir(versions, { recursive: true });
  const named = path.join(folder, `zip/${goModule}@v${version}`);
  await cp(path.join(clients, "go"), named, { recursive: true });
  const zip = path.join(versions, `v${version}.zip`);
  await run(path.join(folder, "zip"), python.program, "-c", zipFiles, zip);
  await cp(path.join(named, "go.mod"), path.join(versions, `v${version}.mod`));
  await writeFile(path.join(versions, `v${version}.info`), JSON.stringify({ Version: `v${version}` }));
  await writeFile(path.join(versions, "list"), `v${version}\n`);
}

test("actionlint finds nothing in the workflow for releases", async () => {
  const workflow = path.join(root, ".github/workflows/release.yml");
  expect(await run(root, "actionlint", "-shellcheck=", "-no-color", workflow)).toBe("");
});
