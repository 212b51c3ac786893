import type { Config } from "../config/config.ts";
import { findWrongNumbers, repairRoleCounts } from "../postgres/check-overview.ts";
import { findWrongDates, findWrongEventTotals, findWrongTotals, repairKept } from "../postgres/check-totals.ts";
import { CommandError } from "./command-error.ts";
import { onPostgres, requireSchema, tell } from "./postgres.ts";

/**
 * Counts all authorizations and events anew and names what is kept about them and differs: totals, numbers for
 * overviews, and change dates in their order; as newline-delimited JSON. Fails when anything does, unless it is to be
 * repaired.
 */
export function checkKept(config: Config, { repair }: { repair: boolean }): Promise<void> {
  return onPostgres(config, "check", async (postgres) => {
    await requireSchema(config, postgres);
    const { connection } = postgres;
    const wrong = [
      ...(await findWrongTotals(connection)),
      ...(await findWrongNumbers(connection)),
      ...(await findWrongDates(connection)),
      ...(await findWrongEventTotals(connection)),
    ];
    for (const each of wrong) process.stdout.write(`${JSON.stringify(each)}\n`);
    if (wrong.length === 0) return tell("Every total, every number for overviews and every change date is right.");
    if (!repair) throw new CommandError(`Wrong: ${wrong.length}. check --repair computes them again.`);
    await repairKept(connection);
    await repairRoleCounts(connection);
    tell(`Wrong: ${wrong.length}. All of them are computed again.`);
  });
}
