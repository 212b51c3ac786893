import { createHash } from "node:crypto";
import { Refusal } from "../../authorization/refusal.ts";
import type { DirectoryVersion } from "../../directory/version.ts";

/** Clients only keep a version and send it back. Its first part shows whether it arrived whole. */
export function writeVersion({ database, snapshot, own, lastEvent }: DirectoryVersion): string {
  const parts = [database, snapshot, own, lastEvent];
  return Buffer.from(JSON.stringify([sumOf(parts), ...parts])).toString("base64url");
}

/** Undefined if there is none. Throws VERSION_INVALID. */
export function readVersion(version: string): DirectoryVersion | undefined {
  if (version === "") return undefined;
  const [sum, database, snapshot, own, lastEvent, ...more] = partsOf(version);
  if (database !== undefined && snapshot !== undefined && own !== undefined && lastEvent !== undefined) {
    const parts = { database, snapshot, own, lastEvent };
    const isWhole = more.length === 0 && sum === sumOf([database, snapshot, own, lastEvent]);
    if (isWhole && isReadable(parts)) return parts;
  }
  throw new Refusal("VERSION_INVALID", "ifVersion: must be the version of an earlier response, unchanged");
}

/** Whether Postgres can read all of it. Anyone can write such a sum. */
function isReadable({ database, snapshot, own, lastEvent }: DirectoryVersion): boolean {
  return (
    /^[\d.]*$/.test(database) &&
    isSnapshot(snapshot) &&
    /^\d{0,18}$/.test(own) &&
    /^(\d{1,18}:[\da-f-]{36})?$/.test(lastEvent)
  );
}

function isSnapshot(text: string): boolean {
  if (!/^\d{1,18}:\d{1,18}:(\d{1,18}(,\d{1,18})*)?$/.test(text)) return false;
  const [first = "", next = "", between = ""] = text.split(":");
  const running = between === "" ? [] : between.split(",");
  const rising = [first, ...running].map(BigInt);
  return (
    BigInt(first) > 0n &&
    BigInt(first) <= BigInt(next) &&
    rising.every((id, index) => (rising[index - 1] ?? 0n) <= id) &&
    running.every((id) => BigInt(id) < BigInt(next))
  );
}

function partsOf(version: string): string[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(version, "base64url").toString());
    return Array.isArray(parts) ? parts.map(String) : [];
  } catch {
    return [];
  }
}

function sumOf(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 16);
}
