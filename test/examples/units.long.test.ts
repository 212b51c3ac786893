import { spawnSync } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { folderOfTests } from "../support/folders.ts";
import { blocksOf } from "../support/page.ts";
import { root } from "../support/repository.ts";

const guides = await readdir(path.join(root, "docs/how-to"));
const units = guides.flatMap((guide) =>
  blocksOf(`docs/how-to/${guide}`)
    .filter(({ language, code }) => language === "ini" && code.includes("[Service]"))
    .map(({ code }) => ({ guide, code })),
);

const folder = await folderOfTests("units");

/** What systemd says about a unit whose paths and user are replaced with some that are here. */
async function saidAbout(unit: string): Promise<string> {
  const here = unit
    .replace(/^(WorkingDirectory=).*$/m, `$1${folder}`)
    .replace(/^(ExecStart=)\S+/m, `$1${process.execPath}`)
    .replace(/^(User=).*$/m, "$1root");
  const file = path.join(folder, "authorization.service");
  await writeFile(file, here);
  const { stdout, stderr } = spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" });
  return `${stdout}${stderr}`;
}

test("guides have units for systemd", () => {
  expect(units.map(({ guide }) => guide)).toContain("deploy.md");
});

test.skipIf(spawnSync("systemd-analyze", ["--version"]).error !== undefined).each(units)(
  "systemd has nothing to say against the unit in $guide",
  async ({ code }) => {
    expect(await saidAbout(code)).toBe("");
    expect(await saidAbout(code.replace("[Service]", "[Service]\nStartLimitIntervalSec=0"))).toContain("Unknown key");
  },
);
