import type { Actor } from "../authorization/actor.ts";
import type { Instant } from "../authorization/authorization.ts";
import { toRfc3339 } from "../authorization/instant.ts";
import type { Config } from "../config/config.ts";
import { secondsOf } from "../identity/lifetime.ts";
import { newToken } from "../identity/tokens.ts";
import { type OperatorTokens, operatorTokens } from "../postgres/token/token-store.ts";
import { commandLine, type Reasoned } from "./acting.ts";
import { CommandError } from "./command-error.ts";
import { requireText } from "./given-text.ts";
import { onDatabase, onPostgres, requireSchema, tell } from "./postgres.ts";

export type CreateOptions = Reasoned & { readonly user: string; readonly name: string; readonly expiresIn: string };

/** Creates a token and prints only the token on standard output. It is never shown again. */
export function createToken(config: Config, options: CreateOptions): Promise<void> {
  const { user: userId, name, expiresIn } = options;
  const expiresInSeconds = parseDuration(expiresIn);
  // The rules of proto/service/identity/v1/token_service.proto.
  requireText("--name", name, 200);
  const actor = commandLine(options);
  return withTokens(config, "token create", async (tokens) => {
    process.stdout.write(`${await makeToken(tokens, { userId, name, expiresInSeconds }, actor)}\n`);
  });
}

type Wanted = { readonly userId: string; readonly name: string; readonly expiresInSeconds: number | undefined };

/** Creates a token for a user of the directory. */
export async function makeToken(
  tokens: OperatorTokens,
  { userId, name, expiresInSeconds }: Wanted,
  actor: Actor,
): Promise<string> {
  const { token, hash } = newToken();
  if (!(await tokens.create({ userId, name, hash }, expiresInSeconds, actor)))
    throw new CommandError(`There is no user "${userId}" in the directory: check the id, or import the user first.`);
  return token;
}

/** Prints one line for each token, with its fields separated by tabs, as docs/reference/command-line.md says. */
export function listTokens(config: Config, { user }: { readonly user?: string }): Promise<void> {
  return withTokens(config, "token list", async (tokens) => {
    for (const token of await tokens.list(user)) {
      const dates = [toRfc3339(token.creationDate), orNever(token.expirationDate), orNever(token.lastUseDate)];
      const [user, maker, name] = [token.userId, token.makerId ?? "-", token.name].map(printable);
      process.stdout.write(`${[token.id, user, ...dates, maker, name].join("\t")}\n`);
    }
  });
}

function orNever(date: Instant | null): string {
  return date === null ? "never" : toRfc3339(date);
}

/** Escapes control characters. Ids and names can contain any, and could add lines or erase others on a terminal. */
export function printable(text: string): string {
  const control = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
  return text.replace(control, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Revokes a token and all made with it. Requests with any of them are refused from now on. */
export function revokeToken(config: Config, id: string, options: Reasoned): Promise<void> {
  const actor = commandLine(options);
  return withTokens(config, "token revoke", async (tokens) => {
    const revoked = await tokens.revoke(id, actor);
    if (revoked === 0) throw new CommandError(`There is no token with the id "${id}": \`token list\` prints the ids.`);
    const others = revoked - 1;
    const made = others === 1 ? "1 token made with it was" : `${others} tokens made with it were`;
    tell(`The token has been revoked.${others === 0 ? "" : ` ${made} revoked, too.`}`);
  });
}

/** Reads a duration such as `12h`, `30d`, or `never`, in seconds. */
export function parseDuration(text: string): number | undefined {
  if (text === "never") return undefined;
  const seconds = secondsOf(text);
  if (seconds === undefined) throw new CommandError(`"${text}" isn't a duration such as 12h, 30d, or never.`);
  return seconds;
}

function withTokens(config: Config, name: string, work: (tokens: OperatorTokens) => Promise<void>): Promise<void> {
  return onPostgres(config, name, async (postgres) => {
    await requireSchema(config, postgres);
    await onDatabase(postgres.connection, (database) => work(operatorTokens(database)));
  });
}
