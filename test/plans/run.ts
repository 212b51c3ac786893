// Runs lists in the bench world and fails when one examines more rows than what it shows is worth.
//
//   npm run test:plans                              1 M authorizations; writes bench/PLANS.md
//   npm run test:plans -- --rows 100k               a quick look
//   npm run test:plans -- --only "common role"      these filters only, by a part of their name

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import type pg from "pg";
import { describeWorld } from "../../bench/machine.ts";
import { readCount } from "../../bench/options.ts";
import { openBenchPostgres } from "../../bench/postgres.ts";
import { openWorld } from "../../bench/world/world.ts";
import { type ListQuery, type SortColumn, sortColumns } from "../../src/authorization/list.ts";
import { listAuthorizations, listStatement, searchStatement } from "../../src/postgres/list/list-authorizations.ts";
import { searchOf } from "../../src/postgres/list/search.ts";
import { type Database, openDatabase } from "../../src/postgres/pool/database.ts";
import { sessionSettings } from "../../src/postgres/pool/session.ts";
import { withClient } from "../support/with-client.ts";
import { runAdministrators } from "./administrators.ts";
import { boundOf, costOf, pageSize } from "./bound.ts";
import { type Caller, findCallers } from "./callers.ts";
import { runEventLists } from "./event-lists.ts";
import { directoryEventLists, eventLists } from "./events.ts";
import { exceptions, lookUpExceptions } from "./exceptions.ts";
import { type Examined, examine } from "./explain.ts";
import { allFilters } from "./filters.ts";
import { type Judgement, judge, type Result } from "./judge.ts";
import { runLookUps } from "./look-ups.ts";
import { renderEvents, renderJudgement, renderLookUps, renderPlans } from "./report.ts";
import { pickSamples, type Samples } from "./samples.ts";

/** Long enough for whatever is to be measured. */
const statementTimeoutMs = 300_000;

const { values: options } = parseArgs({
  options: { rows: { type: "string", default: "1M" }, only: { type: "string", default: "" } },
});
const rows = readCount(options.rows);
const postgres = await openBenchPostgres(rows);
try {
  const world = postgres.connectionTo(await openWorld(postgres, rows, console.log));
  const { failed, unneeded } = await check(world);
  process.exitCode = failed.length + unneeded.length > 0 ? 1 : 0;
} finally {
  await postgres.stop();
}

async function check(world: pg.ClientConfig): Promise<Judgement> {
  const database = openDatabase({ connection: world, poolSize: 1, statementTimeoutMs, onIdleError: () => {} });
  try {
    const callers = await findCallers(world, database);
    const { lists, events, directory, lookUps } = await withClient(world, (client) =>
      runAll(client, database, callers),
    );
    const plans = [
      renderPlans(rows, await describeWorld(world), callers, lists),
      renderEvents("Events", events),
      renderEvents("Events of the directory", directory),
      renderLookUps(lookUps),
    ].join("\n");
    // Exceptions are measured in the whole world of one million, and told by it alone.
    const isWhole = rows === 1_000_000 && options.only === "";
    const judged = judge([...lists, ...events, ...directory, ...lookUps], [...exceptions, ...lookUpExceptions]);
    const judgement = isWhole ? judged : { ...judged, unneeded: [] };
    console.log(`${plans}\n${renderJudgement(judgement)}`);
    if (isWhole) await writeFile(path.join(import.meta.dirname, "../../bench/PLANS.md"), plans);
    return judgement;
  } finally {
    await database.close();
  }
}

async function runAll(client: pg.Client, database: Database, callers: readonly Caller[]) {
  // Otherwise, what an earlier bench removed would be examined, too. Postgres leaves a few removed rows in the indexes.
  await client.query("vacuum (analyze, index_cleanup on)");
  await client.query(sessionSettings(statementTimeoutMs));
  const samples = await pickSamples(client);
  return {
    lists: await runLists(client, database, callers, samples),
    events: await runEventLists(client, database, eventLists(samples), callers, options.only),
    directory: await runEventLists(client, database, directoryEventLists(samples), callers, options.only),
    lookUps: [
      ...(await runLookUps(client, callers, samples, options.only)),
      ...(await runAdministrators(client, callers, samples, options.only)),
    ],
  };
}

async function runLists(client: pg.Client, database: Database, callers: readonly Caller[], samples: Samples) {
  const filters = allFilters(samples);
  const results: Result[] = [];
  for (const { name, filters: asked } of filters.filter((one) => one.name.includes(options.only))) {
    const cost = await costOf(client, asked);
    const run = async (filter: string, { kind, visibility, held }: Caller, query: ListQuery) => {
      const add = (filter: string, examined: Examined) => {
        const bound = boundOf(cost, held, examined.listed);
        results.push({ ...examined, filter, caller: kind, sort: query.sort.column, bound });
      };
      add(filter, await examine(client, listStatement(visibility, query), cost.kept));
      const search = searchOf(visibility, query);
      if (search) add(`${filter}, kept plan`, await examine(client, searchStatement(search, query), true));
    };
    const started = performance.now();
    for (const caller of callers) {
      for (const column of Object.values(sortColumns)) {
        const query = firstPage(asked, column);
        await run(name, caller, query);
        if (asked.length > 0) continue;
        await run("none, without the total", caller, { ...query, skipTotal: true });
        // By its position; a caller who sees no more than one page has none.
        const { next } = await listAuthorizations(database)(caller.visibility, query, new AbortController().signal);
        if (next !== undefined) await run("none, second page", caller, { ...query, after: next });
      }
    }
    console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(7)} s  ${name}`);
  }
  return results;
}

/** The first page; dates begin with the newest. */
function firstPage(filters: ListQuery["filters"], column: SortColumn): ListQuery {
  const ascending = column !== "creationDate" && column !== "changeDate";
  return { filters, sort: { column, ascending }, offset: 0n, limit: pageSize };
}
