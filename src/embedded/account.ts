import { execFile } from "node:child_process";
import { lchown, stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { cannotRun } from "./cannot-run.ts";
import { type Home, nobody } from "./home.ts";

/**
 * The words that, before a command, make it run as an account that Postgres accepts, in the same process. Postgres
 * refuses to run as root, and its account must own what it writes to. For an ordinary user, there are no such words.
 */
export async function asAccount(home: Home, socketDirectory: string, binaries: string): Promise<readonly string[]> {
  if (process.getuid?.() !== 0) return [];
  // A user namespace in which root appears as `nobody`. Files still belong to root.
  const unshare = ["unshare", "--user", `--map-user=${nobody}`, `--map-group=${nobody}`];
  const isRoots = (await stat(home.folder)).uid === 0;
  if (isRoots && (await succeeds([...unshare, "true"]))) return unshare;
  // Namespaces are forbidden in most containers.
  const setpriv = ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"];
  const postgres = path.join(binaries, "bin", "postgres");
  if (!(await succeeds([...setpriv, "test", "-x", postgres]))) {
    throw cannotRun(`it refuses to run as root, and neither unshare nor setpriv can run ${postgres} as another user.`);
  }
  await lchown(home.dataDirectory, nobody, nobody);
  await succeeds(["chown", "-Rh", `${nobody}:${nobody}`, home.folder, socketDirectory]);
  return setpriv;
}

async function succeeds([program = "", ...args]: readonly string[]): Promise<boolean> {
  return promisify(execFile)(program, args).then(
    () => true,
    () => false,
  );
}
