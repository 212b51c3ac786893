import { demoAdministrators, demoCallers, demoWorld } from "../../demo/world.ts";
import { newActor } from "../authorization/actor.ts";
import type { Config } from "../config/config.ts";
import { readChange } from "../import-format/changes.ts";
import { findInstanceOwner } from "../postgres/directory/first-owner.ts";
import { type ImportStore, postgresImport } from "../postgres/directory/import/import-store.ts";
import type { Database } from "../postgres/pool/database.ts";
import { type OperatorTokens, operatorTokens } from "../postgres/token/token-store.ts";
import type { Postgres } from "./postgres.ts";
import { shownCommand, shownInit } from "./shown-command.ts";
import { makeToken } from "./token.ts";

const sevenDays = 7 * 86_400;
const sameUrl = "the same DATABASE_URL";

/** The server's address, as shown to newcomers. */
type Address = { readonly url: string; readonly hasConsole: boolean };

/** What `start` prints once the server answers. Loads the demo world into an empty embedded database. */
export async function greeting(
  config: Config,
  postgres: Postgres,
  database: Database,
  address: Address,
): Promise<string> {
  const where = postgres.embedded ? `PostgreSQL in ${config.dataDirectory}` : "PostgreSQL at DATABASE_URL";
  const help = await firstHelp(config, postgres, database, address);
  return `The authorization service is running at ${address.url}, with ${where}. Press Ctrl-C to stop it.\n\n${help}`;
}

async function firstHelp(config: Config, postgres: Postgres, database: Database, address: Address): Promise<string> {
  const directory = postgresImport(postgres.connection);
  if (postgres.embedded && config.demo && (await directory.isEmpty())) {
    return loadDemo(directory, operatorTokens(database), address);
  }
  const owner = await findInstanceOwner(database, new AbortController().signal);
  if (owner === undefined) return howToMakeOwner(shownInit(config), address, postgres);
  return howToMakeToken(shownCommand(config, "token", "create", "--user", owner), address, postgres);
}

/**
 * If there is no owner, says how to create the first one. If that can't be found out, the server works all the same.
 */
export async function warnWithoutOwner(
  config: Config,
  database: Database,
  warn: (message: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const owner = await findInstanceOwner(database, signal).catch(() => "unknown");
  if (owner === undefined) {
    warn(`no one owns this instance yet: run \`${shownInit(config)}\` to create its first owner and print a token`);
  }
}

/** Loads the demo world and creates tokens for its callers and administrators. Resolves to the text for the newcomer. */
async function loadDemo(directory: ImportStore, tokens: OperatorTokens, address: Address): Promise<string> {
  const actor = newActor(undefined, "the demo world");
  const changes = [...demoWorld()].map((change) => readChange(JSON.stringify(change)));
  const placed = changes.map((change, index) => ({ position: index + 1, change }));
  await directory.import(actor, placed, () => {});
  const count = (kind: string) => changes.filter((change) => change.kind === kind).length.toLocaleString("en");
  const loaded = `${count("organization")} organizations, ${count("user")} people and ${count("authorization")} assignments`;
  const callers = [
    { userId: demoCallers.instanceOwner, title: "owns the instance and sees everything" },
    { userId: demoCallers.organizationOwner, title: "owns the organization Acme and sees its assignments" },
    { userId: demoCallers.plainUser, title: "is a plain user and sees only their own assignments" },
  ];
  const lines = [
    ...(address.hasConsole ? [`Open ${address.url}/ in a browser and paste one of the tokens below.`, ""] : []),
    `Loaded a demo world of ${loaded}. Here are tokens for administrators on each level, valid for 7 days:`,
    "",
  ];
  const tokenOf = (userId: string) => makeToken(tokens, { userId, name: "demo", expiresInSeconds: sevenDays }, actor);
  for (const { userId, title } of demoAdministrators()) {
    lines.push(`TOKEN=${await tokenOf(userId)} # ${userId} ${title}`);
  }
  lines.push("", "Start with these three people:");
  for (const { userId, title } of callers) {
    lines.push("", `# ${userId} ${title}`, `TOKEN=${await tokenOf(userId)}`, curl(address));
  }
  return lines.join("\n");
}

/** The text while no one owns the instance. The command works only once, so it appears only once. */
function howToMakeOwner(init: string, address: Address, { embedded }: Pick<Postgres, "embedded">): string {
  return [
    `No one owns this instance yet. To create its first owner and print a token, run this with your own names${embedded ? "" : ` and ${sameUrl}`}:`,
    "",
    init,
    "",
    address.hasConsole
      ? `Open ${address.url}/ in a browser and paste the token, or list what its owner sees:`
      : "List what its owner sees:",
    "",
    "TOKEN=PASTE_IT_HERE",
    curl(address),
  ].join("\n");
}

/** The text for later starts, because tokens are shown only once and not stored. */
function howToMakeToken(command: string, address: Address, { embedded }: Pick<Postgres, "embedded">): string {
  const there = embedded ? "" : `, with ${sameUrl}`;
  const forConsole = [
    `Open ${address.url}/ in a browser and paste the token that this prints${there}:`,
    "",
    command,
    "",
  ];
  return [
    ...(address.hasConsole ? forConsole : []),
    `Create a token and list what its user sees${there}:`,
    "",
    `TOKEN=$(${command})`,
    curl(address),
  ].join("\n");
}

function curl({ url }: Address): string {
  return [
    `curl -s ${url}/service.authorization.v2.AuthorizationService/ListAuthorizations \\`,
    `  -H "Authorization: Bearer $TOKEN" -H "Connect-Protocol-Version: 1" \\`,
    `  -H "Content-Type: application/json" -d '{"pagination":{"limit":1}}'`,
  ].join("\n");
}
