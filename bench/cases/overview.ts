import { isDeepStrictEqual } from "node:util";
import { withClient } from "../../test/support/with-client.ts";
import { askOurs, askRival, type Bench, type Case, compare, untilIdle } from "../bench.ts";
import { type CallerKind, callerKinds } from "../callers.ts";
import { ask, type Post } from "../load.ts";
import { httpSide } from "../sides.ts";
import { type Statement, statementsOfOverview } from "../statements.ts";
import { median } from "../statistics.ts";
import { latency } from "./pages.ts";

/** The overview of all that each kind of caller sees. */
export const overviewCases: Case[] = (Object.keys(callerKinds) as CallerKind[]).map((kind) => ({
  name: `overview-${kind}`,
  title: `overview, ${callerKinds[kind]}`,
  async run(bench) {
    const post = {
      ...askOurs(bench, kind, "GetOverview", {}),
      url: `${bench.servers.ours.url}/service.authorization.v2.OverviewService/GetOverview`,
    };
    const rival = askRival(bench, kind, "overview", {});
    const [found, theirs] = [await ask(post), await ask(rival)].map((bytes) => JSON.parse(bytes.toString()));
    if (!isDeepStrictEqual(found, theirs)) throw new Error(`ours and the rival count differently: ${kind}`);
    await untilIdle(bench);
    const measurements = await compare(bench, {
      load: latency,
      connections: 2,
      sides: [httpSide("ours, JSON", post)],
    });
    const statements = await statementsOfOverview(bench.world, bench.callers[kind].token);
    return {
      measurements,
      numbers: {
        total: found.totalResult,
        "ms in Postgres": await timeInPostgres(bench, statements.at(-1)),
        "ms of one request to the rival": await timeOfFew(rival),
      },
      notes: [],
    };
  },
}));

async function timeInPostgres(bench: Bench, statement: Statement | undefined): Promise<number> {
  if (statement === undefined) throw new Error("an overview without a statement");
  const times = await withClient(bench.world, async (client) => {
    await client.query("set jit = off");
    const execution: number[] = [];
    for (let turn = 0; turn < 13; turn += 1) {
      const explain = {
        text: `explain (analyze, timing off, format json) ${statement.text}`,
        values: statement.values,
      };
      const { rows } = await client.query<{ "QUERY PLAN": [{ "Execution Time": number }] }>(explain);
      execution.push(rows[0]?.["QUERY PLAN"][0]["Execution Time"] ?? Number.NaN);
    }
    return execution.slice(2);
  });
  return median(times);
}

/** As often as is worth it: five times, or until ten seconds are over. */
async function timeOfFew(post: Post): Promise<number> {
  const times: number[] = [];
  const started = performance.now();
  while (times.length < 5 && performance.now() - started < 10_000) {
    const asked = performance.now();
    await ask(post);
    times.push(performance.now() - asked);
  }
  return median(times);
}
