import type { Config } from "../config/config.ts";
import { findWrong, repairNumbers } from "../postgres/check/check-numbers.ts";
import { CommandError } from "./command-error.ts";
import { onPostgres, requireSchema, tell } from "./postgres.ts";

/**
 * Recounts all authorizations and events, and prints each stored number, change date and user name that is wrong as
 * newline-delimited JSON. If there is one, it fails, or with `repair` corrects all of them.
 */
export function checkKept(config: Config, { repair }: { repair: boolean }): Promise<void> {
  return onPostgres(config, "check", async (postgres) => {
    await requireSchema(config, postgres);
    const { connection } = postgres;
    const wrong = await findWrong(connection);
    for (const each of wrong) process.stdout.write(`${JSON.stringify(each)}\n`);
    if (wrong.length === 0) return tell("All totals, change dates and user names are correct.");
    if (!repair) throw new CommandError(`${wrong.length} wrong. Run check --repair to correct them.`);
    await repairNumbers(connection);
    tell(`${wrong.length} wrong, all corrected.`);
  });
}
