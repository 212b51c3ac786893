import { Command } from "commander";
import { Refusal } from "./authorization/refusal.ts";
import { CommandError } from "./commands/command-error.ts";
import { importFile } from "./commands/import.ts";
import { migrateCommand } from "./commands/migrate.ts";
import { serve } from "./commands/serve.ts";
import { createToken, listTokens, revokeToken } from "./commands/token.ts";
import { type Config, ConfigError, readConfig } from "./config.ts";

const program = new Command("npm run cli --")
  .description("Stores and answers who holds which roles, in which project, in which organization.")
  .addHelpText("after", '\nAll settings are environment variables: see README.md, "Configuration".');

program
  .command("start")
  .description("serve, and show how to call the server; loads a demo world into an empty embedded database")
  .action(withConfig((config) => serve(config, { greet: true })));

program
  .command("serve")
  .description("serve until SIGTERM or Ctrl-C; applies missing migrations unless MIGRATE=false")
  .action(withConfig((config) => serve(config, { greet: false })));

program.command("migrate").description("apply the migrations that are missing").action(withConfig(migrateCommand));

program
  .command("import")
  .description("import newline-delimited JSON, one change a line, all or nothing; any size")
  .argument("<file>", "the file to read, or - for standard input")
  .action((file: string) => withConfig((config) => importFile(config, file))());

const token = program.command("token").description("make, list and revoke personal access tokens");

token
  .command("create")
  .description("print a new token, alone on standard output; it is shown once")
  .requiredOption("--user <id>", "the user who calls with it")
  .option(
    "--expires-in <duration>",
    "how long it is valid: seconds, minutes, hours or days such as 12h or 30d, or never",
    "90d",
  )
  .action((options: { user: string; expiresIn: string }) =>
    withConfig((config) => createToken(config, options.user, options.expiresIn))(),
  );

token
  .command("list")
  .description("print id, user, creation and expiry of every token, separated by tabs")
  .option("--user <id>", "only the tokens of this user")
  .action((options: { user?: string }) => withConfig((config) => listTokens(config, options.user))());

token
  .command("revoke")
  .description("end a token at once")
  .argument("<id>", "the id that `token list` prints")
  .action((id: string) => withConfig((config) => revokeToken(config, id))());

/** Reads the configuration, runs the command, and shows what went wrong without a stack where a person can mend it. */
function withConfig(run: (config: Config) => Promise<void>): () => Promise<void> {
  return async () => {
    try {
      await run(readConfig());
    } catch (error) {
      const mendable = error instanceof CommandError || error instanceof ConfigError || error instanceof Refusal;
      process.stderr.write(`${mendable ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
      process.exitCode = 1;
    }
  };
}

await program.parseAsync();
