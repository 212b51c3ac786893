import { execFile } from "node:child_process";
import { chown, stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { cannotRun } from "./cannot-run.ts";
import type { Home } from "./home.ts";

/** The account Postgres runs as. Postgres refuses to run as root, and must own its data directory. */
export type Account = {
  /** Wraps a command so that it runs as this account, in the same process. */
  wrap(command: readonly string[]): readonly string[];
  /** Makes the account the owner of a file or folder. */
  give(file: string): Promise<void>;
};

type Ids = { readonly uid: number; readonly gid: number };

/** The user `nobody` on every Linux. */
const nobody: Ids = { uid: 65534, gid: 65534 };

/** For an ordinary user, that user. For root, an account that Postgres accepts. */
export async function chooseAccount(home: Home, binaries: string): Promise<Account> {
  const uid = process.getuid?.();
  const keeper: Ids | undefined = await stat(home.cluster).catch(() => undefined);
  if (uid !== 0) {
    if (keeper && keeper.uid !== uid) {
      throw cannotRun(`${home.cluster} belongs to user ${keeper.uid}, and this process is user ${uid}.`);
    }
    return { wrap: (command) => command, give: async () => {} };
  }
  if (keeper && keeper.uid !== 0) return ordinaryUser(home, binaries, keeper);
  return (await seeminglyNobody()) ?? ordinaryUser(home, binaries, nobody);
}

/**
 * A user namespace in which root appears as `nobody`. Files still belong to root, and needn't be readable for others.
 */
async function seeminglyNobody(): Promise<Account | undefined> {
  const unshare = ["unshare", "--user", `--map-user=${nobody.uid}`, `--map-group=${nobody.gid}`];
  if (!(await succeeds([...unshare, "true"]))) return undefined;
  return { wrap: (command) => [...unshare, ...command], give: async () => {} };
}

/**
 * Used where namespaces are forbidden, as in most containers, or if the cluster already belongs to an ordinary user.
 */
async function ordinaryUser(home: Home, binaries: string, ids: Ids): Promise<Account> {
  const setpriv = ["setpriv", `--reuid=${ids.uid}`, `--regid=${ids.gid}`, "--clear-groups"];
  if (!(await succeeds([...setpriv, "true"]))) {
    throw cannotRun("it refuses to run as root, and neither unshare nor setpriv can start it as another user.");
  }
  const postgres = path.join(binaries, "bin", "postgres");
  if (!(await succeeds([...setpriv, "test", "-x", postgres]))) {
    throw cannotRun(`it refuses to run as root, and user ${ids.uid} cannot read ${postgres}.`);
  }
  const give = (file: string) => chown(file, ids.uid, ids.gid);
  await give(home.folder);
  const canWrite = () => succeeds([...setpriv, "test", "-w", home.folder]);
  // The data directory was created for root only, and has to let the account through to its folder.
  if (!(await canWrite())) await give(home.dataDirectory);
  if (!(await canWrite())) {
    throw cannotRun(`it refuses to run as root, and user ${ids.uid} cannot access ${home.folder}.`);
  }
  await succeeds(["chown", "-R", `${ids.uid}:${ids.gid}`, home.cluster]);
  return { wrap: (command) => [...setpriv, ...command], give };
}

async function succeeds([program = "", ...args]: readonly string[]): Promise<boolean> {
  return promisify(execFile)(program, args).then(
    () => true,
    () => false,
  );
}
