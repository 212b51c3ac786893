import { mkdir, open, realpath } from "node:fs/promises";
import path from "node:path";

/** Where things are. Paths are real ones, so that two processes that came by different links write the same. */
export type Home = {
  readonly dataDirectory: string;
  /** `<dataDirectory>/postgres`, for the owner's account only; holds all of the following. */
  readonly folder: string;
  /** What Postgres calls its data directory. It exists only when it is complete. */
  readonly cluster: string;
  readonly log: string;
};

export async function openHome(dataDirectory: string): Promise<Home> {
  await mkdir(path.join(dataDirectory, "postgres"), { recursive: true, mode: 0o700 });
  const real = await realpath(dataDirectory);
  const folder = path.join(real, "postgres");
  return { dataDirectory: real, folder, cluster: path.join(folder, "cluster"), log: path.join(folder, "postgres.log") };
}

/** Makes what was created or renamed in a folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
