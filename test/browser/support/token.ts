import { expect, inject } from "vitest";
import { runCommand } from "../../support/command.ts";
import { apply, type Place } from "./ask.ts";

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
  const { code, stdout, stderr } = await runCommand(["token", ...words], {
    env: { DATA_DIR: inject("service").dataDirectory },
  });
  expect(code, stderr).toBe(0);
  return stdout;
}
