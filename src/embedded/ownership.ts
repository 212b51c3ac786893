/**
 * Decides which process runs the Postgres of a data directory. Records are numbered files, `owner.7.json`, and the
 * highest number counts. Once the process of the highest record is dead or has released it, another process can claim
 * the next number by linking a file, which only one can do. Numbers are never reused, so any time may pass between
 * judging a record and claiming the next number. Deleting a dead owner's file instead could delete the file of a new
 * owner.
 */
import { randomUUID } from "node:crypto";
import { link, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { lookUpProcess } from "./process-facts.ts";

export type Owner = {
  readonly pid: number;
  /** From {@link lookUpProcess}. It tells an owner from a later process with the same number. */
  readonly started: string;
  readonly kind: "server" | "command";
  /** The name of the command, such as `import`. */
  readonly name: string;
  readonly state: "running" | "stopping" | "released";
};

export type Claim = {
  /** From now on, no process can join. */
  announceStop(): Promise<void>;
  /** Lets the next process claim. Postgres must have stopped before. */
  release(): Promise<void>;
};

/** Claims ownership, or returns the live owner. */
export async function claimOwnership(
  folder: string,
  me: Pick<Owner, "kind" | "name">,
): Promise<{ claim: Claim } | { owner: Owner }> {
  const mine: Owner = { ...(await thisProcess()), ...me, state: "running" };
  for (;;) {
    const highest = (await recordNumbers(folder)).at(-1) ?? 0;
    const owner = await readOwner(folder, highest);
    if (owner && (await isLive(owner))) return { owner };
    const number = highest + 1;
    if (!(await linkRecord(folder, number, mine))) continue;
    if ((await recordNumbers(folder)).at(-1) !== number) {
      // Another process was so fast that this number was free again. Its number is higher and counts.
      await rm(recordPath(folder, number), { force: true });
      continue;
    }
    await removeRecordsBefore(folder, number);
    return {
      claim: {
        announceStop: () => replaceRecord(folder, number, { ...mine, state: "stopping" }),
        release: () => replaceRecord(folder, number, { ...mine, state: "released" }),
      },
    };
  }
}

/** The live owner, if there is one. */
export async function currentOwner(folder: string): Promise<Owner | undefined> {
  const owner = await readOwner(folder, (await recordNumbers(folder)).at(-1) ?? 0);
  return owner && (await isLive(owner)) ? owner : undefined;
}

/** "the server (process 7)" or "`import` (process 8)". */
export function describe(owner: Pick<Owner, "kind" | "name" | "pid">): string {
  return `${owner.kind === "server" ? "the server" : `\`${owner.name}\``} (process ${owner.pid})`;
}

export async function thisProcess(): Promise<Pick<Owner, "pid" | "started">> {
  return { pid: process.pid, started: (await lookUpProcess(process.pid))?.started ?? "" };
}

/** Whether the process that wrote a record is still running. */
export async function stillRuns(record: Pick<Owner, "pid" | "started">): Promise<boolean> {
  const facts = await lookUpProcess(record.pid);
  return facts !== undefined && !facts.zombie && facts.started === record.started;
}

async function isLive(owner: Owner): Promise<boolean> {
  return owner.state !== "released" && (await stillRuns(owner));
}

const recordName = /^owner\.(\d+)\.json$/;
const recordPath = (folder: string, number: number) => path.join(folder, `owner.${number}.json`);

async function recordNumbers(folder: string): Promise<number[]> {
  const numbers = (await readdir(folder)).map((name) => Number(recordName.exec(name)?.[1] ?? 0));
  return numbers.filter((number) => number > 0).sort((a, b) => a - b);
}

async function readOwner(folder: string, number: number): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(recordPath(folder, number), "utf8")) as Owner;
  } catch (error) {
    // The owner of a higher number has removed it: claiming this number will fail, and the caller looks again.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** False if the number is taken. A link appears either with its whole content or not at all. */
async function linkRecord(folder: string, number: number, owner: Owner): Promise<boolean> {
  const draft = await writeDraft(folder, owner);
  try {
    await link(draft, recordPath(folder, number));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function replaceRecord(folder: string, number: number, owner: Owner): Promise<void> {
  await rename(await writeDraft(folder, owner), recordPath(folder, number));
}

/** Readable for everyone who can open the folder, because root may have run a command in an ordinary user's folder. */
export async function writeDraft(folder: string, record: object): Promise<string> {
  const draft = path.join(folder, `draft.${randomUUID()}.json`);
  await writeFile(draft, `${JSON.stringify(record)}\n`, { mode: 0o644 });
  return draft;
}

async function removeRecordsBefore(folder: string, number: number): Promise<void> {
  for (const older of await recordNumbers(folder)) {
    if (older < number) await rm(recordPath(folder, older), { force: true });
  }
}
