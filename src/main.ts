import { constants } from "node:os";
import { Command } from "commander";
import { CommandError } from "./commands/command-error.ts";
import { type Config, ConfigError, readConfig } from "./config/config.ts";
import { version } from "./observability/version.ts";

const expiresIn = [
  "--expires-in <duration>",
  "how long the token is valid, such as 45s, 30m, 12h, 30d, or never",
  "90d",
] as const;

const reason = ["--reason <text>", "why, for the history; up to 500 characters"] as const;

const program = new Command("npm run cli --")
  .description("Stores and answers who holds which roles, in which project, in which organization.")
  .version(version, "--version", "print the version")
  .addHelpText("after", "\nAll settings are environment variables: see docs/reference/configuration.md.");

program
  .command("start")
  .description("serve, and show how to call the server; loads a demo world into an empty embedded database")
  .action(withConfig(async () => (await import("./commands/serve.ts")).start));

program
  .command("serve")
  .description("serve until SIGTERM or Ctrl-C; applies missing migrations unless MIGRATE=false")
  .action(withConfig(async () => (await import("./commands/serve.ts")).serve));

program
  .command("worker", { hidden: true })
  .description("one of the processes of a server with WORKERS; only a server starts it")
  .action(withConfig(async () => (await import("./commands/worker.ts")).serveAsWorker));

program
  .command("migrate")
  .description("apply missing migrations")
  .option("--service-role <role>", "then give this role the rights to serve: those of ops/service-role.sql")
  .action(withConfig(async () => (await import("./commands/migrate.ts")).migrateCommand));

program
  .command("import")
  .description("import newline-delimited JSON of any size, one change per line, all or nothing")
  .argument("<file>", "the file to read, or - for standard input")
  .option("--dry-run", "print what would change, and change nothing", false)
  .option(...reason)
  .action(withConfig(async () => (await import("./commands/import.ts")).importFile));

program
  .command("export")
  .description("write a snapshot of everything, in the format that import reads")
  .option(
    "--only <kinds>",
    "only these kinds of resources, such as projectRole,projectGrant; or directory, for all but assignments",
  )
  .option("--events", "also write past events, for people and their tools; import doesn't read them", false)
  .action(withConfig(async () => (await import("./commands/export.ts")).exportCommand));

const events = program
  .command("events")
  .description("print the history of assignments or of the directory as newline-delimited JSON, oldest first")
  .option("--directory", "the history of the directory and of tokens, instead of that of assignments", false)
  .option("--authorization <id>", "only of this assignment, which may have been removed")
  .option("--kind <kinds>", "only these kinds, such as removed or administrator,token")
  .option("--id <id>", "only of resources with this id; needs --directory")
  .option("--user <id>", "only those that concern this user")
  .option("--actor <id>", "only those caused by this user; '' means the command line")
  .option("--organization <id>", "only those in this organization")
  .option("--project <id>", "only those of this project")
  .option("--from <time>", "only from this time on, such as 2026-01-31T08:00:00Z")
  .option("--to <time>", "only before this time")
  .option("--follow", "then print each new event, in order, until Ctrl-C", false)
  .action(withConfig(async () => (await import("./commands/events.ts")).printEvents));

// Commander takes options of a command also behind the name of one below it.
events.hook("preSubcommand", () => {
  const given = events.options.find((option) => events.getOptionValueSource(option.attributeName()) === "cli");
  if (given !== undefined)
    events.error(`error: ${given.long} can't be used with events archive, which takes all events`);
});

events
  .command("archive")
  .description("write old events of both histories to a file, then delete them from the database")
  .requiredOption("--before <day>", "archive the events from before this day, such as 2026-01-01, in UTC")
  .option("--folder <folder>", "where to write the file; by default, the current folder", ".")
  .option("--dry-run", "print what would be archived, and change nothing", false)
  .action(withConfig(async () => (await import("./commands/archive.ts")).archiveEvents));

program
  .command("check")
  .description("verify stored totals, change dates, and user names; exit 1 on any mismatch")
  .option("--repair", "correct them; changes of assignments wait in the meantime", false)
  .action(withConfig(async () => (await import("./commands/check.ts")).checkKept));

program
  .command("init")
  .description(
    "create the first owner and a new organization, and print only a token on standard output; refused if there already is an owner",
  )
  .requiredOption("--organization <name>", "the name of the organization")
  .requiredOption("--login <name>", "the name the owner signs in with, such as ann@acme.example")
  .option("--name <name>", "the name to display; by default, the login name")
  .option("--user-id <id>", "the owner's id, such as the sub of your issuer's tokens; by default, a new id")
  .option("--no-token", "create no token, for an owner who signs in with your issuer; needs --user-id")
  .option("--if-needed", "if there already is an owner, succeed and change nothing", false)
  .option(...expiresIn)
  .option(...reason)
  .action(withConfig(async () => (await import("./commands/init.ts")).initialize));

const token = program.command("token").description("create, list, and revoke personal access tokens");

token
  .command("create")
  .description("create a token and print only the token on standard output; it is shown once")
  .requiredOption("--user <id>", "the user to call as")
  .option("--name <name>", "what the token is for; up to 200 characters", "")
  .option(...expiresIn)
  .option(...reason)
  .action(withConfig(async () => (await import("./commands/token.ts")).createToken));

token
  .command("list")
  .description(
    "print the id, user, creation date, expiration date, last use, maker, and name of every token, separated by tabs",
  )
  .option("--user <id>", "list only the tokens of this user")
  .action(withConfig(async () => (await import("./commands/token.ts")).listTokens));

token
  .command("revoke")
  .description("revoke a token at once, and all tokens made with it")
  .argument("<id>", "the id that `token list` prints")
  .option(...reason)
  .action(withConfig(async () => (await import("./commands/token.ts")).revokeToken));

program
  .command("users")
  .description("erase the names of a removed user from the histories")
  .command("erase")
  .description("take the names of a removed user out of both histories, for good")
  .argument("<id>", "the id of the user, who must have been removed")
  .option("--name <names...>", "other names to look for in reasons and names of tokens", [])
  .option("--dry-run", "print how many events would change, and change nothing", false)
  .option(...reason)
  .action(withConfig(async () => (await import("./commands/erase-user.ts")).eraseUser));

/**
 * Reads the configuration, runs the command, and shows what went wrong. Loads only the command that is run: serving needs
 * far more modules than the others, which start in half the time this way.
 */
function withConfig<Given extends unknown[]>(
  load: () => Promise<(config: Config, ...given: Given) => Promise<void>>,
): (...given: Given) => Promise<void> {
  return async (...given) => {
    try {
      const config = readConfig();
      const run = await load();
      await run(config, ...given);
    } catch (error) {
      if (isOutputLost) return;
      process.stderr.write(`${explain(error)}\n`);
      process.exitCode = 1;
    }
  };
}

/** Whether standard output is closed. Its reader may have seen enough, like `head`. */
let isOutputLost = false;
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  isOutputLost = true;
  // The exit code of a program that SIGPIPE ended.
  process.exitCode = error.code === "EPIPE" ? 128 + constants.signals.SIGPIPE : 1;
  if (error.code !== "EPIPE") process.stderr.write(`Cannot write to standard output: ${error.message}\n`);
});

// Without a reader, messages are lost, and the work continues.
process.stderr.on("error", () => {});

/** Shows no stack for errors that a person can fix. */
function explain(error: unknown): string {
  if (error instanceof CommandError || error instanceof ConfigError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

await program.parseAsync();
