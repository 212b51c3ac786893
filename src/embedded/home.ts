import { mkdir, open, realpath } from "node:fs/promises";
import path from "node:path";

/** The paths of the embedded Postgres. Links are resolved, so all processes use the same paths. */
export type Home = {
  readonly dataDirectory: string;
  /** `<dataDirectory>/postgres`, which only the owner's account can open. It contains everything below. */
  readonly folder: string;
  /** Postgres' data directory. It exists only once it is complete. */
  readonly cluster: string;
  readonly log: string;
};

export async function openHome(dataDirectory: string): Promise<Home> {
  await mkdir(path.join(dataDirectory, "postgres"), { recursive: true, mode: 0o700 });
  const real = await realpath(dataDirectory);
  const folder = path.join(real, "postgres");
  return { dataDirectory: real, folder, cluster: path.join(folder, "cluster"), log: path.join(folder, "postgres.log") };
}

/** Makes created and renamed entries of a folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
