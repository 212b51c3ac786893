import { withClient } from "../../test/support/with-client.ts";
import type { Case } from "../bench.ts";
import { statementsOfPage } from "../statements.ts";
import { median } from "../statistics.ts";

/** The exact total of everything, inside Postgres: the statement of a page of one row, which is next to nothing else. */
export const totalCase: Case = {
  name: "total",
  title: "exact total, unfiltered, instance owner, inside Postgres",
  async run(bench) {
    const statements = await statementsOfPage(bench.world, bench.callers.instance.token, 1);
    const page = statements.at(-1);
    if (page === undefined) throw new Error("a page without a statement");
    const times = await withClient(bench.world, async (client) => {
      await client.query("set jit = off");
      const execution: number[] = [];
      for (let turn = 0; turn < 13; turn += 1) {
        const explain = { text: `explain (analyze, timing off, format json) ${page.text}`, values: page.values };
        const { rows } = await client.query<{ "QUERY PLAN": [{ "Execution Time": number }] }>(explain);
        execution.push(rows[0]?.["QUERY PLAN"][0]["Execution Time"] ?? Number.NaN);
      }
      return execution.slice(2);
    });
    return { measurements: [], numbers: { "ms in Postgres": median(times) }, notes: [] };
  },
};
