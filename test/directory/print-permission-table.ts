// Prints who may make which change, as a running server answers: for each role, in its own scope, elsewhere, and for what
// doesn't exist. docs/reference/permissions.md has the same table in short.
//
//   npm run permission-table

import { type AdministratorRole, permissionsOfRole } from "../../src/authorization/permissions.ts";
import { newToken } from "../../src/identity/tokens.ts";
import { entry, organization } from "../support/changes.ts";
import { runCommand, startCommand } from "../support/command.ts";
import { onScratchPostgres } from "../support/scratch-postgres.ts";
import { withClient } from "../support/with-client.ts";
import { user } from "../support/world.ts";
import { rows, scopesOf, world } from "./permission-table.ts";

const roles = Object.keys(permissionsOfRole) as AdministratorRole[];
const lines = [
  ...world,
  user("plain", "mine"),
  organization("home"),
  ...roles.flatMap((name) => [user(name, "home"), ...scopesOf(name).map((scope) => entry(name, scope, name))]),
];

await onScratchPostgres(async (database) => {
  const env = { DATABASE_URL: await database("permissions"), PORT: "0", MIGRATE: "false", LOG_LEVEL: "warn" };
  const input = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const imported = await runCommand(["import", "-"], { env, input });
  if (imported.code !== 0) throw new Error(imported.stderr);
  const tokens = await makeTokens(env.DATABASE_URL);
  const server = startCommand(["start"], { env });
  const address = /http:\/\/127\.0\.0\.1:\d+/;
  const url = address.exec(await server.until("stdout", address))?.[0];
  try {
    console.log(`| Change | Where | ${roles.join(" | ")} |\n|${"---|".repeat(roles.length + 2)}`);
    for (const { change, own, elsewhere, nowhere } of rows) {
      for (const [where, changes] of Object.entries({ own, elsewhere, "doesn't exist": nowhere })) {
        if (changes.length === 0) continue;
        const cells: string[] = [];
        for (const name of roles) cells.push(await answersTo(`${url}`, tokens.get(name) ?? "", changes));
        console.log(`| ${change} | ${where} | ${cells.join(" | ")} |`);
      }
    }
  } finally {
    server.process.kill();
    await server.ended;
  }
});

async function makeTokens(connectionString: string): Promise<Map<string, string>> {
  return withClient({ connectionString }, async (client) => {
    const tokens = new Map<string, string>();
    for (const name of roles) {
      const { token, hash } = newToken();
      await client.query("insert into tokens (id, user_id, hash) values ($1, $1, $2)", [name, hash]);
      tokens.set(name, token);
    }
    return tokens;
  });
}

/** The different answers to these changes: yes, or the permission that is lacking. */
async function answersTo(url: string, token: string, changes: readonly object[]): Promise<string> {
  const answers = new Set<string>();
  for (const change of changes) answers.add(await judge(url, token, change));
  return [...answers].join(", ");
}

/**
 * Judges a change without making it: the request names it twice, which is refused once everything in it is permitted.
 */
async function judge(url: string, token: string, change: object): Promise<string> {
  const response = await fetch(`${url}/service.directory.v1.DirectoryService/ApplyChanges`, {
    method: "POST",
    headers: { "content-type": "application/json", "connect-protocol-version": "1", authorization: `Bearer ${token}` },
    body: JSON.stringify({ changes: [change, change] }),
  });
  const { details = [] } = (await response.json()) as {
    details?: { debug?: { reason?: string; metadata?: object } }[];
  };
  const { reason, metadata = {} } = details[0]?.debug ?? {};
  if (reason === "DUPLICATE_CHANGE") return "yes";
  if (reason !== "PERMISSION_DENIED") throw new Error(`${JSON.stringify(change)} got ${response.status} ${reason}`);
  return "permission" in metadata ? `no: ${metadata.permission}` : "no";
}
