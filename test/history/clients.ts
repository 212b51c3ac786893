import { setTimeout as sleep } from "node:timers/promises";
import type { RowReader } from "./answers.ts";
import { type Asking, ask, askForChange, askForList } from "./ask.ts";
import { chooseRequest, chooseScope, type Notebook } from "./choose.ts";
import type { Patience } from "./http.ts";
import type { DirectoryCall, DirectoryChange, ListCall, Operation, Outcome } from "./operation.ts";
import type { Random } from "./random.ts";
import type { TroubledServer } from "./servers.ts";
import { keeper, type World } from "./world.ts";

/** What all clients write down. */
export type Written = {
  readonly operations: Operation[];
  readonly lists: ListCall[];
  readonly directory: DirectoryCall[];
};

export type Workplace = {
  readonly world: World;
  readonly servers: readonly TroubledServer[];
  readonly tokens: ReadonlyMap<string, string>;
  readonly rows: RowReader;
  readonly record: Written;
  /** How long a client waits between two calls, in milliseconds. */
  readonly thinkMs: number;
  readonly signal: AbortSignal;
};

/** After a call that came to nothing, so that clients do not run hot while everything is down. */
const backOffMs = 25;

/** Calls one thing after the other until told to stop. */
export async function runClient(name: string, notebook: Notebook, random: Random, at: Workplace): Promise<void> {
  while (!at.signal.aborted) {
    await untilAnyListens(at);
    const listing = random.chance(0.06);
    const { kind } = listing ? await list(name, random, at) : await operate(name, notebook, random, at);
    if (kind === "nothing" || kind === "unknown") await sleep(backOffMs);
    else if (at.thinkMs > 0) await sleep(random.between(0, 2 * at.thinkMs));
  }
}

/** Changes the directory now and then. */
export async function runKeeper(random: Random, at: Workplace): Promise<void> {
  const kinds: DirectoryChange[] = ["remove role", "add role", "grant key", "add role", "grant key", "take key"];
  while (!at.signal.aborted) {
    await sleep(random.between(200, 2_000), undefined, { signal: at.signal }).catch(() => {});
    await untilAnyListens(at);
    const change = random.pick(kinds);
    at.record.directory.push(await askForChange(asking(keeper, random, at), change));
  }
}

async function operate(name: string, notebook: Notebook, random: Random, at: Workplace): Promise<Outcome> {
  const on = random.pick(random.chance(0.5) ? at.world.hot : at.world.cold);
  const request = chooseRequest(notebook, on, random);
  const operation = await ask(asking(name, random, at), on, request);
  at.record.operations.push(operation);
  notebook.note(on, request, operation.outcome);
  return operation.outcome;
}

async function list(name: string, random: Random, at: Workplace): Promise<Outcome> {
  const list = await askForList(asking(name, random, at), chooseScope(random));
  at.record.lists.push(list);
  return list.outcome;
}

type Listening = { readonly servers: readonly Pick<TroubledServer, "url">[]; readonly signal: AbortSignal };

export async function untilAnyListens({ servers, signal }: Listening): Promise<void> {
  while (!signal.aborted && servers.every((server) => server.url() === undefined)) await sleep(backOffMs);
}

/** Any server that listens, if there is one. */
function asking(client: string, random: Random, { servers, tokens, rows }: Workplace): Asking {
  const listening = servers.filter((server) => server.url() !== undefined);
  const server = random.pick(listening.length === 0 ? servers : listening);
  return { client, token: tokens.get(client) ?? "", server, rows, patience: somePatience(random) };
}

/** Most calls wait long enough; a few give up early, or hang up. */
function somePatience(random: Random): Patience {
  const roll = random.fraction();
  if (roll < 0.01) return { deadlineMs: 1 + random.below(12) };
  if (roll < 0.02) return { deadlineMs: 2_000, hangUpAfterMs: random.below(12) };
  return { deadlineMs: 2_000 };
}
