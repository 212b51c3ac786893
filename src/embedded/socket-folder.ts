import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Account } from "./account.ts";
import type { Home } from "./home.ts";
import { postgresPort } from "./postgres-arguments.ts";

/** The system's limit for the path of a socket is 104 bytes on macOS and 108 on Linux. This leaves a few to spare. */
const longestSocketPath = 100;

const temporaryPrefix = "authorization-postgres-";

/**
 * Creates a folder that only the account can open, because anyone who reaches the socket gets in without a password.
 * Also removes the temporary folder of an earlier run that was killed.
 */
export async function makeSocketFolder(home: Home, account: Account): Promise<string> {
  await removeTemporarySocketFolder(home);
  const inHome = path.join(home.folder, "socket");
  const fits = Buffer.byteLength(path.join(inHome, `.s.PGSQL.${postgresPort}`)) <= longestSocketPath;
  const folder = fits ? inHome : await mkdtemp(path.join(await realpath(tmpdir()), temporaryPrefix));
  if (!fits) await writeFile(noteOf(home), folder, { mode: 0o644 });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  await account.give(folder);
  return folder;
}

export async function removeTemporarySocketFolder(home: Home): Promise<void> {
  const folder = await readFile(noteOf(home), "utf8").catch(() => "");
  if (path.basename(folder).startsWith(temporaryPrefix)) await rm(folder, { recursive: true, force: true });
  await rm(noteOf(home), { force: true });
}

/** The file that stores where the temporary folder is. */
function noteOf(home: Home): string {
  return path.join(home.folder, "socket-folder");
}
