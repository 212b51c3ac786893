import { open, rename, stat } from "node:fs/promises";
import type { Account } from "./account.ts";

/** Larger logs are moved aside when Postgres starts. Two files are kept. */
const largestLog = 10_000_000;

/** How many lines of the log are shown when something fails. */
const shownLines = 20;

/** Moves a large log aside, and makes sure that the account can write the log. Returns its length. */
export async function prepareLog(log: string, account: Account): Promise<number> {
  const size = await stat(log).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size > largestLog) await rename(log, `${log}.old`);
  await (await open(log, "a", 0o600)).close();
  await account.give(log);
  return size > largestLog ? 0 : size;
}

/** The last lines that were written after the log had the given length. */
export async function lastLines(log: string, since: number): Promise<string> {
  const handle = await open(log, "r");
  try {
    const { size } = await handle.stat();
    const start = Math.max(since, size - 16_384);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.max(0, size - start)), 0, null, start);
    return buffer.toString("utf8", 0, bytesRead).trimEnd().split("\n").slice(-shownLines).join("\n");
  } finally {
    await handle.close();
  }
}
