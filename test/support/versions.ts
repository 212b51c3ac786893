import { createHash } from "node:crypto";

/** What the server would call a version, of any parts. */
export function madeVersion(parts: readonly unknown[]): string {
  const sum = createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 16);
  return Buffer.from(JSON.stringify([sum, ...parts])).toString("base64url");
}

/** A version of another database. */
export const foreignVersion = madeVersion(["1.5", "3:9:", "", ""]);
