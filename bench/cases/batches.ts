import { withClient } from "../../test/support/with-client.ts";
import { askOurs, type Bench, type Case, untilIdle } from "../bench.ts";
import { ask, send } from "../load.ts";
import type { Measurement } from "../results.ts";
import { type Run, summarize } from "../statistics.ts";
import { selectNew } from "../world/new-assignments.ts";
import { throughput } from "./pages.ts";
import { keepForBatches, putBackKept } from "./put-back.ts";

// Batches of a thousand beside single calls: the same items, by the instance owner, from as many connections.

const size = 1_000;
const connections = 16;

type Item = Record<string, unknown>;
type Kind = {
  readonly name: string;
  readonly single: string;
  readonly batch: string;
  /** What goes into a request besides the items. */
  readonly rest?: Item;
  /** As many items as a round of batches needs, each about something else. */
  items(bench: Bench, amount: number): Promise<Item[]>;
};

/** What each round sends: single calls about the first items, then batches about the others. */
const singles = 1_600;
const batches = 16;
const amount = singles + batches * size;

const ofExisting =
  (rest: Item = {}): Kind["items"] =>
  async (bench, amount) => {
    const { rows } = await withClient(bench.world, (client) => client.query<{ id: string }>(selectIds, [amount]));
    return rows.map(({ id }) => ({ id, ...rest }));
  };

const kinds: readonly Kind[] = [
  // A set that no loaded authorization holds, in every project and grant of the world.
  {
    name: "batch-update",
    single: "UpdateAuthorization",
    batch: "BatchUpdateAuthorizations",
    items: ofExisting({ roleKeys: ["approver", "viewer"] }),
  },
  {
    name: "batch-create",
    single: "CreateAuthorization",
    batch: "BatchCreateAuthorizations",
    async items(bench, amount) {
      const { rows } = await withClient(bench.world, (client) => client.query(selectNew, [amount]));
      return rows.map(({ item }) => item);
    },
  },
  {
    name: "batch-set-state",
    single: "DeactivateAuthorization",
    batch: "BatchSetState",
    rest: { state: "STATE_INACTIVE" },
    items: ofExisting(),
  },
  {
    name: "batch-delete",
    single: "DeleteAuthorization",
    batch: "BatchDeleteAuthorizations",
    items: ofExisting(),
  },
];

export const batchCases: readonly Case[] = kinds.map((kind) => ({
  name: kind.name,
  title: `${kind.batch}, ${size} items, beside ${kind.single}`,
  async run(bench) {
    const items = await kind.items(bench, amount);
    if (items.length < amount) throw new Error(`the world has only ${items.length} items for ${kind.name}`);
    const ids = items.flatMap(({ id }) => (id === undefined ? [] : [String(id)]));
    await withClient(bench.world, (client) => keepForBatches(client, ids));
    await requireSuccesses(bench, kind, items);
    const measurements = await alternate(bench, kind, items);
    const [one, many] = measurements;
    const ratio = (size * (many?.achieved ?? Number.NaN)) / (one?.achieved ?? Number.NaN);
    return { measurements, numbers: { "items/s, batches ÷ single calls": ratio }, notes: [] };
  },
}));

/** As many requests in each round as there are items, because what is deleted cannot be deleted again. */
async function alternate(bench: Bench, kind: Kind, items: readonly Item[]): Promise<Measurement[]> {
  const sides = [
    { side: "single calls", rpc: kind.single, bodies: items.slice(0, singles), runs: [] as Run[] },
    { side: "batches", rpc: kind.batch, bodies: inBatches(kind, items.slice(singles)), runs: [] as Run[] },
  ];
  for (let round = 0; round < bench.options.rounds; round += 1) {
    for (const { rpc, bodies, runs } of sides) {
      const texts = bodies.map((body) => JSON.stringify(body));
      let count = 0;
      const body = () => texts[count++ % texts.length] ?? "";
      const load = { connections, seconds: bench.options.seconds, amount: texts.length };
      runs.push(await send({ ...askOurs(bench, "instance", rpc, {}), body }, load));
      await untilIdle(bench);
    }
    await withClient(bench.world, putBackKept);
  }
  return sides.map(({ side, runs }) => {
    const measurement = { side, load: throughput, connections, ...summarize(runs) };
    bench.say(
      `  ${side.padEnd(28)} ${measurement.achieved.toFixed(1).padStart(9)} /s   p50 ${measurement.p50.toFixed(2)} ms`,
    );
    return measurement;
  });
}

function inBatches({ rest = {} }: Kind, items: readonly Item[]): Item[] {
  const many = Math.floor(items.length / size);
  return Array.from({ length: many }, (_, index) => ({
    ...rest,
    items: items.slice(index * size, (index + 1) * size),
  }));
}

/** What a batch could not do would still be answered with 200. */
async function requireSuccesses(bench: Bench, kind: Kind, items: readonly Item[]): Promise<void> {
  const [body] = inBatches(kind, items);
  const answer = await ask({ ...askOurs(bench, "instance", kind.batch, {}), body: () => JSON.stringify(body) });
  const results: { error?: object }[] = JSON.parse(answer.toString()).results;
  const failed = results.find(({ error }) => error !== undefined);
  if (failed !== undefined) throw new Error(`${kind.batch} could not do ${JSON.stringify(failed)}`);
  await withClient(bench.world, putBackKept);
}

const selectIds = `
  select a.id from authorizations a where a.state = 'active' order by md5(a.id) limit $1`;
