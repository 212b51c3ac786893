import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { installOnce } from "../support/install-once.ts";
import { asAccount } from "./account.ts";

const run = promisify(execFile);

const cache = path.join(import.meta.dirname, "../../.cache/patroni");
const debian = path.join(cache, "debian");
const venv = path.join(cache, "venv");
const requirements = path.join(import.meta.dirname, "requirements.txt");

/** Debian's packages, which are unpacked and not installed, so no service of the system is touched. */
const packages = ["etcd-server", "libpq5", "postgresql-15", "postgresql-client-15"];

/** What the last run logged. */
export const logs = path.join(cache, "logs");

/** Where everything is once it is installed. */
export const programs = {
  patroni: path.join(venv, "bin/patroni"),
  patronictl: path.join(venv, "bin/patronictl"),
  etcd: path.join(debian, "usr/bin/etcd"),
  postgres: path.join(debian, "usr/lib/postgresql/15/bin"),
};

/** Installs Patroni, etcd and PostgreSQL, unless they are there, and tries whether they can run. */
export async function setup(): Promise<void> {
  const python = await findPython();
  await mkdir(cache, { recursive: true });
  await installOnce(debian, packages.join("\n"), unpackDebian);
  await installOnce(venv, python + (await readFile(requirements, "utf8")), () => installPatroni(python));
  for (const program of [programs.etcd, path.join(programs.postgres, "postgres"), programs.patroni]) {
    await run("env", asAccount(program, "--version")).catch((error: Error) => {
      throw new Error(
        `${program} can't run as the user of the tests. Install what it lacks, or move the repository to a folder ` +
          `that everyone can read:\n${error.message}`,
      );
    });
  }
}

/** The first Python that can make environments and that the account of the tests can run: root's own is often out of its reach. */
export async function findPython(candidates: readonly string[] = ["python3", "/usr/bin/python3"]): Promise<string> {
  for (const python of candidates) {
    const can = await run("env", asAccount(python, "-c", "import ensurepip, venv")).then(
      () => true,
      () => false,
    );
    if (can) return python;
  }
  throw new Error(
    "Install Python 3.10 or newer with venv (Debian: `apt-get install python3-venv`), where all users can run it, then run this again.",
  );
}

async function unpackDebian(): Promise<void> {
  await run("apt-get", ["download", "--quiet", ...packages], { cwd: debian }).catch((error: Error) => {
    throw new Error(
      "The packages of Debian 12 can't be downloaded. This test needs Debian 12 or a system with its packages, and " +
        `lists of them (\`apt-get update\`):\n${error.message}`,
    );
  });
  const files = (await readdir(debian)).filter((name) => name.endsWith(".deb"));
  for (const file of files) {
    await run("dpkg", ["-x", file, debian], { cwd: debian });
    await rm(path.join(debian, file));
  }
}

async function installPatroni(python: string): Promise<void> {
  await run(python, ["-m", "venv", venv]);
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements];
  await run(path.join(venv, "bin/python"), pip);
}
