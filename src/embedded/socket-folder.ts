import { chmod, mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Account } from "./account.ts";
import type { Home } from "./home.ts";
import { postgresPort } from "./postgres-arguments.ts";

/** The system's limit for the path of a socket is 104 bytes on macOS and 108 on Linux; some is left to spare. */
const longestSocketPath = 100;

const temporaryPrefix = "authorization-postgres-";

/** A folder only the account can open, because whoever reaches the socket is let in without a password. */
export async function makeSocketFolder(home: Home, account: Account): Promise<string> {
  const inHome = path.join(home.folder, "socket");
  const fits = Buffer.byteLength(path.join(inHome, `.s.PGSQL.${postgresPort}`)) <= longestSocketPath;
  const folder = fits ? inHome : await mkdtemp(path.join(await realpath(tmpdir()), temporaryPrefix));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  await account.give(folder);
  return folder;
}

/** Does nothing to a folder in the data directory. */
export async function removeTemporarySocketFolder(folder: string): Promise<void> {
  const temporary = path.join(await realpath(tmpdir()), temporaryPrefix);
  if (folder.startsWith(temporary)) await rm(folder, { recursive: true, force: true });
}
