import { demoCallers, demoWorld } from "../../demo/world.ts";
import type { PlacedChange } from "../directory/change.ts";
import type { ImportStore } from "../directory/store.ts";
import type { TokenStore } from "../identity/store.ts";
import { readChange } from "../rpc/changes.ts";
import { makeToken } from "./token.ts";

const sevenDays = 7 * 86_400;

/** Where the server is that newcomers are told about. */
export type Address = { readonly url: string; readonly hasConsole: boolean };

/** Loads the demo world and makes the tokens of its three callers. Resolves to what to show to the newcomer. */
export async function loadDemo(directory: ImportStore, tokens: TokenStore, address: Address): Promise<string> {
  const count = await directory.import(demoChanges(), () => {});
  const callers = [
    { userId: demoCallers.instanceOwner, title: "owns the instance and sees everything" },
    { userId: demoCallers.organizationOwner, title: "owns the organization Acme and sees what is assigned in it" },
    { userId: demoCallers.plainUser, title: "is a plain user and sees what was assigned to him" },
  ];
  const lines = [
    ...(address.hasConsole ? [`Open ${address.url}/ in a browser and paste one of the tokens below.`, ""] : []),
    `A demo world of ${count} things was loaded. Three of its people, with tokens that are valid for 7 days:`,
  ];
  for (const { userId, title } of callers) {
    const token = await makeToken(tokens, userId, sevenDays);
    lines.push("", `# ${userId} ${title}`, `TOKEN=${token}`, curl(address));
  }
  return lines.join("\n");
}

/**
 * What a later start shows instead: the tokens were shown once and are not kept.
 *
 * @param dataDirectory where the command finds the embedded Postgres, when that is not where it looks by itself
 */
export function howToMakeToken(
  userId: string | undefined,
  address: Address,
  dataDirectory: string | undefined,
): string {
  const where = dataDirectory === undefined ? "" : `DATA_DIR=${shellWord(dataDirectory)} `;
  const command = `${where}npm run --silent cli -- token create --user ${shellWord(userId ?? "USER_ID")}`;
  const forConsole = [`Open ${address.url}/ in a browser and paste the token that this prints:`, "", command, ""];
  return [
    ...(address.hasConsole ? forConsole : []),
    "Make a token and list what its user sees:",
    "",
    `TOKEN=$(${command})`,
    curl(address),
  ].join("\n");
}

/** An id can hold any character, and people paste what they are shown. */
function shellWord(text: string): string {
  return /^[\w.@/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function curl({ url }: Address): string {
  return [
    `curl -s ${url}/service.authorization.v2.AuthorizationService/ListAuthorizations \\`,
    `  -H "Authorization: Bearer $TOKEN" -H "Connect-Protocol-Version: 1" \\`,
    `  -H "Content-Type: application/json" -d '{"pagination":{"limit":1}}'`,
  ].join("\n");
}

async function* demoChanges(): AsyncGenerator<PlacedChange> {
  let position = 0;
  for (const change of demoWorld()) {
    position += 1;
    yield { position, change: readChange(JSON.stringify(change)) };
  }
}
