import { v7 as newId } from "uuid";
import type { Instant } from "../authorization/authorization.ts";
import { toRfc3339 } from "../authorization/instant.ts";
import { instance } from "../authorization/permissions.ts";
import type { Config } from "../config/config.ts";
import type { Upsert } from "../directory/change.ts";
import { newToken } from "../identity/tokens.ts";
import { makeFirstOwner } from "../postgres/directory/first-owner.ts";
import { commandLine, type Reasoned } from "./acting.ts";
import { CommandError } from "./command-error.ts";
import { problemOf } from "./given-text.ts";
import { onDatabase, onPostgres, prepareSchema, tell } from "./postgres.ts";
import { shownCommand, shownStart } from "./shown-command.ts";
import { parseDuration, printable } from "./token.ts";

/** The options for the person who sets up the service. */
export type InitOptions = Reasoned & {
  readonly organization: string;
  /** The preferred login name. */
  readonly login: string;
  /** The display name, by default, the login name. */
  readonly name?: string;
  readonly userId?: string;
  /** Whether to create a token. */
  readonly token: boolean;
  /** Whether an existing owner is no failure. */
  readonly ifNeeded: boolean;
  readonly expiresIn: string;
};

/** Creates the instance's first owner in a new organization, and prints only a token on standard output, if one is wanted. */
export async function initialize(config: Config, options: InitOptions): Promise<void> {
  const expiresInSeconds = parseDuration(options.expiresIn);
  const actor = commandLine(options);
  const { organization, login, name, userId = newId() } = options;
  if (!options.token && options.userId === undefined) {
    throw new CommandError("--no-token needs --user-id: otherwise, the owner can't sign in.");
  }
  requireNames({ "--organization": organization, "--login": login, "--name": name, "--user-id": userId });
  const organizationId = newId();
  const { token, hash } = newToken();
  const owner = {
    changes: changesOf(organizationId, userId, options).map((change, position) => ({ position, change })),
    userId,
    token: options.token ? { hash, expiresInSeconds } : undefined,
  };
  await onPostgres(config, "init", async ({ connection }) => {
    await prepareSchema(config, connection);
    const made = await onDatabase(connection, (database) => makeFirstOwner(database, actor, owner));
    if ("existingOwner" in made) {
      if (!options.ifNeeded) throw ownedBy(made.existingOwner, config);
      return tell("This instance already has an owner, so nothing was created.");
    }
    if ("existingUser" in made)
      throw new CommandError(`User "${printable(userId)}" exists, so nothing was created. ${importOwner}`);
    const people = [options.name, options.login].filter((name) => name !== undefined).map(printable);
    tell(`Created the first owner of this instance:
  organization ${organizationId}: ${printable(options.organization)}
  user ${userId}: ${people.join(", ")}
${options.token ? `${aboutToken(made.expirationDate)} To create another token` : "No token was created. To create one"}:
  ${shownCommand(config, "token", "create", "--user", userId)}
Paste the token into the sign-in page of the console, or send it as "Authorization: Bearer …".
If the service is not running, start it: ${shownStart(config)}`);
    if (options.token) process.stdout.write(`${token}\n`);
  });
}

function aboutToken(expirationDate: Instant | undefined): string {
  const validity = expirationDate === undefined ? "never expires" : `is valid until ${toRfc3339(expirationDate)}`;
  return `The token on standard output ${validity}. It is shown only once.`;
}

const importOwner = "To make an existing user the owner, import an administrator: see docs/reference/import-format.md.";

function changesOf(organizationId: string, userId: string, { organization, login, name }: InitOptions): Upsert[] {
  return [
    { kind: "organization", id: organizationId, name: organization },
    {
      kind: "user",
      id: userId,
      organizationId,
      preferredLoginName: login,
      displayName: name ?? login,
      avatarUrl: "",
    },
    { kind: "administrator", userId, scope: instance, roles: ["IAM_OWNER"] },
  ];
}

function ownedBy(userId: string, config: Config): CommandError {
  const command = shownCommand(config, "token", "create", "--user", userId);
  return new CommandError(
    `User "${printable(userId)}" already owns this instance, so nothing was created. To create a token for this user, run:\n  ${command}`,
  );
}

/** Applies the rules for names in the directory (docs/reference/directory.md). Reports every problem. */
function requireNames(names: Record<string, string | undefined>): void {
  const problems = Object.entries(names).flatMap(([option, name]) => {
    const mostBytes = option === "--user-id" ? 600 : undefined;
    const problem =
      name === undefined ? undefined : name.trim() === "" ? "must not be blank" : problemOf(name, 200, mostBytes);
    return problem === undefined ? [] : [`${option} ${problem}.`];
  });
  if (problems.length > 0) throw new CommandError(problems.join("\n"));
}
