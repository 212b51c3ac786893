import { withClient } from "../../test/support/with-client.ts";
import { askOurs, type Bench, type Case, untilIdle } from "../bench.ts";
import type { CallerKind } from "../callers.ts";
import { send } from "../load.ts";
import { type Run, summarize } from "../statistics.ts";
import { removeJoiners } from "./put-back.ts";

// Directory changes, of which the whole database makes one at a time: single ones by one caller and by four, and a thousand
// in one request. Each adds a user to the caller's organization.

const many = 1_000;
const four: readonly CallerKind[] = ["instance", "largest", "large", "small"];
const loads = {
  one: "one caller, 1 at once",
  four: "four callers, 1 at once each",
  many: `${many} in one request, 1 at once`,
};

export const directoryCase: Case = {
  name: "directory",
  title: "ApplyChanges that adds users",
  slow: true,
  async run(bench) {
    const { rounds } = bench.options;
    const runs = { one: [] as Run[], four: [] as Run[], many: [] as Run[] };
    const organizations = await organizationsOf(bench);
    const add = (kind: CallerKind, amount: number, turn: { seconds: number; amount?: number }) => {
      const body = () => JSON.stringify({ changes: joiners(organizations.get(kind) ?? "", amount) });
      return send(
        { ...askOurs(bench, kind, "", {}), url: `${bench.servers.ours.url}/${rpc}`, body },
        { connections: 1, ...turn },
      );
    };
    try {
      await add("largest", 1, { seconds: 2 });
      for (let round = 0; round < rounds; round += 1) {
        const turn = { seconds: bench.options.seconds };
        runs.one.push(await add("largest", 1, turn));
        runs.four.push(together(await Promise.all(four.map((kind) => add(kind, 1, turn)))));
        runs.many.push(await add("largest", many, { ...turn, amount: 5 }));
        await untilIdle(bench);
      }
    } finally {
      await withClient(bench.world, removeJoiners);
    }
    const measurements = (["one", "four", "many"] as const).map((key) => {
      const measurement = {
        side: "ours",
        load: loads[key],
        connections: key === "four" ? 4 : 1,
        ...summarize(runs[key]),
      };
      bench.say(
        `  ${measurement.load.padEnd(30)} ${measurement.achieved.toFixed(1)} /s   p50 ${measurement.p50.toFixed(1)} ms`,
      );
      return measurement;
    });
    return { measurements, numbers: {}, notes: [] };
  },
};

const rpc = "service.directory.v1.DirectoryService/ApplyChanges";

async function organizationsOf({ world, callers }: Bench): Promise<Map<CallerKind, string>> {
  const { rows } = await withClient(world, (client) =>
    client.query<{ id: string; organization_id: string }>("select id, organization_id from users where id = any($1)", [
      four.map((kind) => callers[kind].userId),
    ]),
  );
  return new Map(four.map((kind) => [kind, rows.find(({ id }) => id === callers[kind].userId)?.organization_id ?? ""]));
}

let made = 0;

function joiners(organizationId: string, amount: number): object[] {
  return Array.from({ length: amount }, () => {
    made += 1;
    const id = `joiner-${made}`;
    return { user: { id, organizationId, preferredLoginName: `${id}@bench.example`, displayName: `Joiner ${made}` } };
  });
}

/** What callers did at the same time. */
function together(runs: readonly Run[]): Run {
  return {
    sent: runs.reduce((sum, { sent }) => sum + sent, 0),
    seconds: Math.max(...runs.map(({ seconds }) => seconds)),
    milliseconds: runs.flatMap(({ milliseconds }) => milliseconds),
  };
}
