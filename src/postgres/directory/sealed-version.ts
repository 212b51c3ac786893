import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { Refusal } from "../../authorization/refusal.ts";
import type { DirectoryVersion } from "../../directory/version.ts";

/**
 * Clients only keep a version and send it back. It contains what callers must not know or choose, such as how far other
 * organizations' changes had come, so it is encrypted and authenticated.
 *
 * @param key 32 secret bytes that only this database has
 */
export function sealVersion({ database, snapshot, own, lastEvent }: DirectoryVersion, key: Uint8Array): string {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength });
  const text = JSON.stringify([database, snapshot, own, lastEvent]);
  // Padded, because the length would show how many transactions were under way.
  const padded = text.padEnd(Math.ceil(text.length / blockLength) * blockLength);
  return Buffer.concat([nonce, cipher.update(padded), cipher.final(), cipher.getAuthTag()]).toString("base64url");
}

/** Throws VERSION_INVALID for anything that wasn't sealed with this key, or was changed since. */
export function openVersion(sealed: string, key: Uint8Array): DirectoryVersion {
  const text = decrypt(Buffer.from(sealed, "base64url"), sealed, key);
  if (text === undefined) {
    throw new Refusal("VERSION_INVALID", "ifVersion: must be the version of an earlier response, unchanged");
  }
  const [database, snapshot, own, lastEvent] = JSON.parse(text);
  return { database, snapshot, own, lastEvent };
}

function decrypt(bytes: Buffer, sealed: string, key: Uint8Array): string | undefined {
  // Node ignores characters that are not base64.
  if (bytes.length < nonceLength + authTagLength || bytes.toString("base64url") !== sealed) return undefined;
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceLength), { authTagLength });
  decipher.setAuthTag(bytes.subarray(-authTagLength));
  try {
    const text = decipher.update(bytes.subarray(nonceLength, -authTagLength));
    return Buffer.concat([text, decipher.final()]).toString();
  } catch {
    return undefined;
  }
}

const algorithm = "aes-256-gcm";
const nonceLength = 12;
const authTagLength = 16;
const blockLength = 128;
