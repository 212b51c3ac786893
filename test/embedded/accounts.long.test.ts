import { chmodSync, chownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path, { delimiter } from "node:path";
import { expect, test } from "vitest";
import { hold } from "./holder.ts";
import { command, newDataDirectory, open, postmastersOf, query, usedDataDirectory } from "./place.ts";

const nobody = 65534;
/** The user `daemon` on every Linux: initdb wants to know its name. */
const somebody = 1;
const asSomebody = ["setpriv", `--reuid=${somebody}`, `--regid=${somebody}`, "--clear-groups"];

// Becoming somebody else needs root, and the programs for it exist on Linux only. An ordinary user runs all other tests.
const asRoot = test.runIf(process.platform === "linux" && process.getuid?.() === 0);

asRoot("an ordinary user can run it, and root is told to run as that user", async () => {
  const dataDirectory = newDataDirectory();
  chownSync(path.dirname(dataDirectory), somebody, somebody);
  const owner = hold({ dataDirectory }, { through: asSomebody });
  expect(await query(await owner.opened(), "select 1 one")).toEqual([{ one: 1 }]);
  expect(statSync(`/proc/${postmastersOf(dataDirectory)[0]?.pid}`).uid).toBe(somebody);
  await expect(open({ dataDirectory, owner: command("export") })).rejects.toThrow(
    `${dataDirectory} belongs to user ${somebody}, and this process is user 0: run it as that user, or set DATA_DIR to another folder.`,
  );
});

asRoot("an ordinary user is told that a folder is somebody else's", async () => {
  const dataDirectory = newDataDirectory();
  mkdirSync(dataDirectory, { mode: 0o700 });
  const owner = hold({ dataDirectory }, { through: asSomebody });
  expect(await owner.failure()).toMatch(`${dataDirectory} belongs to user 0, and this process is user ${somebody}`);
});

asRoot("as root in a user namespace the files stay root's", async () => {
  const dataDirectory = await usedDataDirectory();
  const opened = await open({ dataDirectory });
  expect(await query(opened, "select 1 one")).toEqual([{ one: 1 }]);
  expect(statSync(path.join(dataDirectory, "postgres", "cluster")).uid).toBe(0);
});

asRoot("as root without user namespaces it runs as nobody, also with the cluster root had before", async () => {
  const dataDirectory = await usedDataDirectory();
  const before = await open({ dataDirectory });
  await query(before, "create table kept as select 42 answer");
  await before.stop();
  const owner = hold({ dataDirectory }, { path: pathWithout(dataDirectory, "unshare") });
  expect(await query(await owner.opened(), "select answer from kept")).toEqual([{ answer: 42 }]);
  expect(statSync(`/proc/${postmastersOf(dataDirectory)[0]?.pid}`).uid).toBe(nobody);
  expect(statSync(path.join(dataDirectory, "postgres", "socket")).mode & 0o777).toBe(0o700);
  owner.tell("stop");
  await owner.exited;
  const opened = await open({ dataDirectory });
  expect(await query(opened, "select answer from kept")).toEqual([{ answer: 42 }]);
});

asRoot("as root without user namespaces the first run works too", async () => {
  const dataDirectory = newDataDirectory();
  const owner = hold({ dataDirectory }, { path: pathWithout(dataDirectory, "unshare") });
  expect(await query(await owner.opened(), "select 1 one")).toEqual([{ one: 1 }]);
  expect(statSync(path.join(dataDirectory, "postgres", "cluster")).uid).toBe(nobody);
});

asRoot("as root with no way to become somebody else the error names DATABASE_URL", async () => {
  const dataDirectory = newDataDirectory();
  const options = { path: pathWithout(dataDirectory, "unshare", "setpriv") };
  const owner = hold({ dataDirectory }, options);
  expect(await owner.failure()).toMatch(/neither unshare nor setpriv.*DATABASE_URL/s);
});

asRoot("as root with programs nobody can read the error names DATABASE_URL", async () => {
  const dataDirectory = newDataDirectory();
  const binaries = path.join(path.dirname(dataDirectory), "private");
  mkdirSync(path.join(binaries, "bin"), { recursive: true });
  symlinkSync("/bin/true", path.join(binaries, "bin", "postgres"));
  chmodSync(binaries, 0o700);
  const options = { path: pathWithout(dataDirectory, "unshare") };
  const owner = hold({ dataDirectory, binaries }, options);
  expect(await owner.failure()).toMatch(/can run .*private\/bin\/postgres as another user.*DATABASE_URL/s);
});

/** A PATH on which some programs fail, as unshare does in most containers. */
function pathWithout(dataDirectory: string, ...programs: readonly string[]): string {
  const folder = path.join(path.dirname(dataDirectory), "programs");
  mkdirSync(folder);
  for (const program of programs) writeFileSync(path.join(folder, program), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  return `${folder}${delimiter}${process.env.PATH}`;
}
