import { lstat, mkdir, mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** The paths of the embedded Postgres. Links are resolved, so all processes use the same paths. */
export type Home = Readonly<Awaited<ReturnType<typeof openHome>>>;

/** The number of the user and group `nobody` on every Linux. */
export const nobody = 65534;

export async function openHome(given: string) {
  await makePrivate(path.resolve(given));
  const dataDirectory = await realpath(given);
  const folder = path.join(dataDirectory, "postgres");
  await makePrivate(folder);
  return {
    dataDirectory,
    /** It contains everything below. */
    folder,
    /** Postgres' data directory. It exists only once it is complete. */
    cluster: path.join(folder, "cluster"),
    log: path.join(folder, "postgres.log"),
  };
}

/** The system's limit for the path of a socket is 104 bytes on macOS and 108 on Linux. This leaves a few to spare. */
const longestSocketPath = 100;

/** Creates the folder of the socket, elsewhere if its path would be too long. */
export async function makeSocketFolder(home: Home): Promise<string> {
  const folder = path.join(home.folder, "socket");
  if (Buffer.byteLength(path.join(folder, ".s.PGSQL.5432")) > longestSocketPath) {
    return mkdtemp(path.join(await realpath(tmpdir()), "authorization-postgres-"));
  }
  await makePrivate(folder);
  return folder;
}

/** Creates a folder, or refuses one that other users could change or look into. */
async function makePrivate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stats = await lstat(folder);
  const me = process.getuid?.();
  const orElse = "or set DATA_DIR to another folder.";
  if (stats.isSymbolicLink()) {
    throw new Error(`${folder} is a symbolic link: replace it with the folder that it leads to, ${orElse}`);
  }
  // Where root has to run Postgres as `nobody`, the folders belong to that user.
  if (stats.uid !== me && !(me === 0 && stats.uid === nobody)) {
    throw new Error(
      `${folder} belongs to user ${stats.uid}, and this process is user ${me}: run it as that user, ${orElse}`,
    );
  }
  if ((stats.mode & 0o077) !== 0) {
    throw new Error(`${folder} is open to other users: run \`chmod 700 ${folder}\`, ${orElse}`);
  }
}
