import type { Config } from "../config.ts";
import { findWrongTotals, recountTotals } from "../postgres/check-totals.ts";
import { CommandError } from "./command-error.ts";
import { onPostgres, requireSchema, tell } from "./postgres.ts";

/**
 * Counts all authorizations anew and names every kept total that differs, as newline-delimited JSON. Fails when one
 * does, unless it is to repair them.
 */
export function checkTotals(config: Config, { repair }: { repair: boolean }): Promise<void> {
  return onPostgres(config, "check", async (postgres) => {
    await requireSchema(config, postgres);
    const wrong = await findWrongTotals(postgres.connection);
    for (const total of wrong) process.stdout.write(`${JSON.stringify(total)}\n`);
    if (wrong.length === 0) return tell("Every total is what counting gives.");
    if (!repair) throw new CommandError(`${wrong.length} totals are wrong: check --repair counts them anew.`);
    await recountTotals(postgres.connection);
    tell(`${wrong.length} totals were wrong and are counted anew.`);
  });
}
