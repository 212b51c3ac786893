import { toRfc3339 } from "../authorization/instant.ts";
import type { Config } from "../config/config.ts";
import type { TokenStore } from "../identity/store.ts";
import { newToken } from "../identity/tokens.ts";
import { postgresTokens } from "../postgres/caller/caller-store.ts";
import { CommandError } from "./command-error.ts";
import { onDatabase, onPostgres, requireSchema, tell } from "./postgres.ts";

/** Creates a token and prints only the token on standard output. It is never shown again. */
export function createToken(config: Config, userId: string, expiresIn: string): Promise<void> {
  const expiresInSeconds = parseDuration(expiresIn);
  return withTokens(config, "token create", async (tokens) => {
    process.stdout.write(`${await makeToken(tokens, userId, expiresInSeconds)}\n`);
  });
}

/** Creates a token for a user of the directory. */
export async function makeToken(tokens: TokenStore, userId: string, expiresInSeconds?: number): Promise<string> {
  const { token, hash } = newToken();
  const id = await tokens.create({ userId, hash, expiresInSeconds });
  if (id === undefined)
    throw new CommandError(`There is no user "${userId}" in the directory: check the id, or import the user first.`);
  return token;
}

/** Prints one line for each token: its id, user, creation and expiry, separated by tabs. */
export function listTokens(config: Config, userId: string | undefined): Promise<void> {
  return withTokens(config, "token list", async (tokens) => {
    for (const { id, userId: owner, creationDate, expirationDate } of await tokens.list(userId)) {
      const expiry = expirationDate === undefined ? "never" : toRfc3339(expirationDate);
      process.stdout.write(`${[id, printable(owner), toRfc3339(creationDate), expiry].join("\t")}\n`);
    }
  });
}

/** Escapes control characters. Ids and names can contain any, and could add lines or erase others on a terminal. */
export function printable(text: string): string {
  const control = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
  return text.replace(control, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Revokes a token. Requests with it are refused from now on. */
export function revokeToken(config: Config, id: string): Promise<void> {
  return withTokens(config, "token revoke", async (tokens) => {
    if (!(await tokens.revoke(id)))
      throw new CommandError(`There is no token with the id "${id}": \`token list\` prints the ids.`);
    tell("The token has been revoked.");
  });
}

/** Reads a duration such as `12h`, `30d` or `never`, in seconds. */
export function parseDuration(text: string): number | undefined {
  if (text === "never") return undefined;
  const match = /^([1-9]\d{0,5})([smhd])$/.exec(text);
  if (match === null) throw new CommandError(`"${text}" isn't a duration: use, for example, 12h, 30d or never.`);
  return Number(match[1]) * { s: 1, m: 60, h: 3_600, d: 86_400 }[match[2] as "s" | "m" | "h" | "d"];
}

function withTokens(config: Config, name: string, work: (tokens: TokenStore) => Promise<void>): Promise<void> {
  return onPostgres(config, name, async (postgres) => {
    await requireSchema(config, postgres);
    await onDatabase(postgres.connection, (database) => work(postgresTokens(database)));
  });
}
