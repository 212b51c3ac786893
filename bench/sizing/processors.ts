import { readdir, readFile } from "node:fs/promises";
import { processorTime } from "../processes.ts";

/** Processor time in milliseconds of each kind of process of one Postgres. */
export type Processors = {
  /** The processes of connections, also of those that have ended. */
  readonly backends: number;
  /** Writes the log and the tables, and cleans up. */
  readonly background: number;
  /** Sends the log to replicas. */
  readonly senders: number;
  /** Receives and replays the log. */
  readonly replay: number;
};

export async function processorsOf(postmaster: number): Promise<Processors> {
  const sums = { backends: 0, background: 0, senders: 0, replay: 0 };
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    const parent = Number(stat.replace(/^.*\) /s, "").split(" ")[1]);
    if (parent !== postmaster) continue;
    const title = await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "");
    const used = await processorTime(Number(name));
    // One that has just ended is not counted twice.
    if (!Number.isNaN(used)) sums[kindOf(title)] += used;
  }
  const ended = await readFile(`/proc/${postmaster}/stat`, "utf8");
  const fields = ended
    .replace(/^.*\) /s, "")
    .split(" ")
    .map(Number);
  sums.backends += 10 * ((fields[13] ?? 0) + (fields[14] ?? 0));
  return sums;
}

export function kindOf(title: string): keyof Processors {
  if (/^postgres: (walsender)/.test(title)) return "senders";
  if (/^postgres: (startup|walreceiver)/.test(title)) return "replay";
  return /^postgres: (checkpointer|background writer|walwriter|io worker|autovacuum|logical replication|archiver)/.test(
    title,
  )
    ? "background"
    : "backends";
}
