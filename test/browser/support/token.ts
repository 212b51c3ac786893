import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import { apply, type Place } from "./ask.ts";

const main = path.join(import.meta.dirname, "../../../src/main.ts");

/** A token of somebody who owns a place: other tests neither use it nor see what it may do. */
export async function makeOwner(place: Place, user: string): Promise<{ token: string; revoke: () => Promise<void> }> {
  const userId = place.idOf(user);
  const administrator = { userId, organizationId: place.organizationId, roles: ["ORG_OWNER"] };
  await apply([{ administrator }]);
  const token = (await command("create", "--user", userId)).trim();
  return {
    token,
    async revoke() {
      const [id = ""] = (await command("list", "--user", userId)).split("\t");
      await command("revoke", id);
    },
  };
}

async function command(...words: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, DATA_DIR: inject("service").dataDirectory };
  const { stdout } = await promisify(execFile)(process.execPath, [main, "token", ...words], { env });
  return stdout;
}
