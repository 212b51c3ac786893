import type pg from "pg";
import { findWrong } from "../../src/postgres/check/check-numbers.ts";
import { withClient } from "../support/with-client.ts";
import { anyInput } from "./any-input.ts";
import { type Lane, openLane } from "./connection.ts";
import { type Input, print } from "./input.ts";
import { judge } from "./judge.ts";
import type { Product } from "./product.ts";
import { everyRow, resetWorld, untouchableRows } from "./world.ts";

export type Campaign = {
  readonly seed: number;
  /** The numbers of the inputs, the last one not included. */
  readonly from: number;
  readonly to: number;
  readonly product: Product;
  readonly databaseUrl: string;
  /** After so many problems it ends. */
  readonly mostProblems: number;
  /** Hears what there is so far, after every stage. */
  readonly onStage: (findings: Findings) => Promise<void>;
};

export type Findings = {
  inputs: number;
  readonly kinds: Record<string, number>;
  readonly statuses: Record<string, number>;
  readonly codes: Record<string, number>;
  /** What is wrong, for people, with what they need to see it again. */
  readonly problems: string[];
};

/** How many inputs make a stage. In the last of a cycle things change; then the world is made anew. */
const stageLength = 250;
const stagesOfCycle = 16;
/** Shares of a run begin with a cycle. */
export const cycleLength = stageLength * stagesOfCycle;
/** So many of a stage of changes are sent one by one, to see that what is refused leaves no trace. */
const oneByOne = 50;
/** Requests sent at the same time, and connections besides that are slow, broken or about to be left. */
const [mostLanes, mostAsides] = [16, 48];

/** Whether callers with the right to change things do so. */
export function isChanging(index: number): boolean {
  return Math.floor(index / stageLength) % stagesOfCycle === stagesOfCycle - 1;
}

/** Sends inputs to the product and judges what comes back, and what is left behind. */
export async function fuzz(campaign: Campaign): Promise<Findings> {
  const { seed, product, from, to } = campaign;
  const connection = { connectionString: campaign.databaseUrl };
  const findings: Findings = { inputs: 0, kinds: {}, statuses: {}, codes: {}, problems: [] };
  const sender = openSender(campaign, findings);
  const isOver = () => findings.problems.length >= campaign.mostProblems || !product.isAlive();
  return withClient(connection, async (client) => {
    for (let first = from; first < to && !isOver(); ) {
      const end = Math.min(to, (Math.floor(first / stageLength) + 1) * stageLength);
      if (first === from || first % cycleLength === 0) await resetWorld(client, connection);
      const stage = { seed, first, end, client, connection, sender, findings, isOver };
      await (isChanging(first) ? stageOfChanges(stage) : quietStage(stage));
      findings.problems.push(...product.faults.splice(0).map((line) => `logged as unexpected: ${line}`));
      await campaign.onStage(findings);
      first = end;
    }
    await sender.finish();
    if (!product.isAlive()) findings.problems.push("the server's process ended");
    return findings;
  });
}

type Stage = {
  readonly seed: number;
  readonly first: number;
  readonly end: number;
  readonly client: pg.Client;
  readonly connection: pg.ClientConfig;
  readonly sender: ReturnType<typeof openSender>;
  readonly findings: Findings;
  readonly isOver: () => boolean;
};

/** Nobody in it may change anything, so nothing may have changed. */
async function quietStage(stage: Stage): Promise<void> {
  const before = await everyRow(stage.client);
  await stage.sender.sendAll(stage.first, stage.end, stage.isOver);
  if ((await everyRow(stage.client)) === before) return;
  stage.findings.problems.push(`rows changed, though nobody had the right to, ${await culprit(stage, everyRow)}`);
}

async function stageOfChanges(stage: Stage): Promise<void> {
  const { first, end, client, sender, findings, isOver, connection } = stage;
  const before = await untouchableRows(client);
  const next = Math.min(end, first + oneByOne);
  let rows = await everyRow(client);
  for (let index = first; index < next && !isOver(); index += 1) {
    const statuses = await sender.send(index);
    const [isRefused, rowsBefore] = [statuses.every((status) => status >= 400), rows];
    rows = await everyRow(client);
    if (isRefused && rows !== rowsBefore)
      findings.problems.push(`refused, but rows changed\n${describe(stage.seed, index)}`);
  }
  await sender.sendAll(next, end, isOver);
  const wrong = await findWrong(connection);
  if (wrong.length > 0) {
    findings.problems.push(
      `kept numbers, dates or names are wrong after inputs ${first} to ${end - 1}: ${JSON.stringify(wrong)}`,
    );
  }
  if ((await untouchableRows(client)) === before) return;
  findings.problems.push(`rows changed that no input names, ${await culprit(stage, untouchableRows)}`);
}

/** Sends a stage again, one by one on the world as it is made, to find the input that changed the rows. */
async function culprit(
  { seed, first, end, client, connection, sender }: Stage,
  rows: typeof everyRow,
): Promise<string> {
  await resetWorld(client, connection);
  for (let index = first; index < end; index += 1) {
    const before = await rows(client);
    await sender.send(index);
    if ((await rows(client)) !== before) return `by\n${describe(seed, index)}`;
  }
  return `by several of the inputs from ${first} to ${end - 1} together`;
}

function openSender({ seed, product }: Campaign, findings: Findings) {
  const lanes = Array.from({ length: mostLanes }, () => openLane(product.port));
  const asides = new Set<Promise<unknown>>();

  async function exchange(lane: Lane, index: number, input: Input): Promise<number[]> {
    count(findings.kinds, input.kind);
    findings.inputs += 1;
    const report = (problem: string) => findings.problems.push(`${problem}\n${describe(seed, index)}`);
    try {
      const { answers, problem } = await lane.exchange(input);
      if (problem !== undefined) report(problem);
      for (const answer of answers) {
        const verdict = judge(input, answer, !isChanging(index) && input.keepsAlive);
        count(findings.statuses, String(answer.status));
        count(findings.codes, verdict.code);
        if (verdict.problem !== undefined)
          report(`${verdict.problem}\n${answer.status} ${answer.body.subarray(0, 2_000)}`);
      }
      if (answers.length === 0) count(findings.statuses, "none");
      return answers.map(({ status }) => status);
    } catch (error) {
      report(error instanceof Error ? (error.stack ?? error.message) : String(error));
      return [];
    }
  }

  async function drive(lane: Lane, indexes: Iterator<number>): Promise<void> {
    for (let next = indexes.next(); !next.done; next = indexes.next()) {
      const input = anyInput(seed, next.value, isChanging(next.value));
      const done = exchange(lane, next.value, input);
      if (input.keepsAlive) {
        await done;
      } else {
        const aside = done.finally(() => asides.delete(aside));
        asides.add(aside);
        if (asides.size >= mostAsides) await Promise.race(asides);
      }
    }
  }

  return {
    /** Resolves to the statuses of the answers. */
    send: (index: number) => exchange(lanes[0] as Lane, index, anyInput(seed, index, isChanging(index))),
    /** Sends many at once. What has a connection of its own may go on behind the end. */
    async sendAll(first: number, end: number, isOver: () => boolean) {
      const indexes = (function* () {
        for (let index = first; index < end && !isOver(); index += 1) yield index;
      })();
      await Promise.all(lanes.map((lane) => drive(lane, indexes)));
    },
    async finish() {
      await Promise.all(asides);
      for (const lane of lanes) lane.close();
    },
  };
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

/** An input as people see it. */
function describe(seed: number, index: number): string {
  const input = anyInput(seed, index, isChanging(index));
  return `--seed ${seed} --index ${index}: ${input.kind}\n${print(input)}`;
}
