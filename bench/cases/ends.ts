import type pg from "pg";
import { withClient } from "../../test/support/with-client.ts";
import type { Case } from "../bench.ts";
import type { CallerKind } from "../callers.ts";
import { type Statement, statementsOfOverview, statementsOfPage } from "../statements.ts";
import { median } from "../statistics.ts";

const callers: CallerKind[] = ["own", "large", "instance"];
const dues = [0, 10_000, 1_000_000];
const turns = 9;

/** Pages and overviews inside Postgres while the ends of many assignments have passed and no server has written that yet. */
export const endsCase: Case = {
  name: "ends",
  title: "pages of 100 and overviews while assignments are due, inside Postgres",
  slow: true,
  async run({ world, callers: tokens, options, say }) {
    const asked: [string, Statement][] = [];
    for (const kind of callers) {
      const { token } = tokens[kind];
      for (const column of ["creationDate", "changeDate"] as const)
        asked.push([`${kind} by ${column}`, lastOf(await statementsOfPage(world, token, 100, column))]);
      asked.push([`${kind}, overview`, lastOf(await statementsOfOverview(world, token))]);
    }
    const numbers: Record<string, number> = {};
    for (const due of dues.filter((count) => count <= options.rows)) {
      // Servers settle what is due within seconds, so only this transaction sees it.
      await withClient(world, async (client) => {
        await client.query("set jit = off; set session_replication_role = replica; begin");
        await client.query(makeDue, [due]);
        await client.query("analyze authorizations");
        for (const [name, statement] of asked) {
          const ms = await timeOf(client, statement);
          numbers[`${name}, ${due.toLocaleString("en")} due: ms`] = ms;
          say(`  ${name}, ${due} due: ${ms.toFixed(2)} ms`);
        }
        await client.query("rollback");
        await client.query("vacuum (analyze) authorizations");
      });
    }
    return { measurements: [], numbers, notes: [] };
  },
};

const makeDue = `
  update authorizations set expiration_date = now() - interval '1 hour'
  where id in (select id from authorizations where state = 'active' order by id limit $1)`;

function lastOf(statements: readonly Statement[]): Statement {
  const last = statements.at(-1);
  if (last === undefined) throw new Error("no statement was sent");
  return last;
}

async function timeOf(client: pg.Client, { text, values }: Statement): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const began = performance.now();
    await client.query({ text, values: [...values] });
    times.push(performance.now() - began);
  }
  return median(times);
}
