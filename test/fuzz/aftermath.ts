import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { withClient } from "../support/with-client.ts";
import { openLane } from "./connection.ts";
import { type Product, poolSize } from "./product.ts";
import { headersOf, methods, oneRequest, requestOf } from "./requests.ts";
import { resetWorld } from "./world.ts";

/** How long it may take until nothing is left of what went on: the server lets go of the last connections after 2 s. */
const settlingMs = 8_000;

/** What a run must not leave behind. Resolves to what it did, for people. */
export function aftermath(product: Product, databaseUrl: string, filesBefore: number | undefined) {
  const connection = { connectionString: databaseUrl };
  return withClient(connection, async (client) => {
    await resetWorld(client, connection);
    const problems = await usePart(product.port, client);
    const busy = await settled(0, async () => (await client.query(busySessions)).rowCount ?? 0);
    if (busy > 0) problems.push(`${busy} sessions of Postgres are still busy`);
    // Every connection of the pool may be open now that was not at the beginning.
    const most = (filesBefore ?? 0) + poolSize + 5;
    const files = await settled(most, async () => (await product.openFiles()) ?? 0);
    if (filesBefore !== undefined && files > most)
      problems.push(`${files} open files, ${filesBefore} at the beginning`);
    return problems;
  });
}

const mostOfCaller = Math.ceil(poolSize / 2);

const busySessions = `
  select from pg_stat_activity
  where datname = current_database() and application_name = 'authorization-service' and state <> 'idle'`;

/** As many lists at once as one caller may hold connections to Postgres, held up by a lock until each has one. */
async function usePart(port: number, client: pg.Client): Promise<string[]> {
  await client.query("begin; lock table authorizations in access exclusive mode");
  const answers = Promise.all(Array.from({ length: mostOfCaller }, () => list(port)));
  const notWaiting = await settled(0, async () => mostOfCaller - ((await client.query(waitingSessions)).rowCount ?? 0));
  await client.query("rollback");
  const answered = (await answers).filter((status) => status === 200).length;
  const problems = [];
  if (notWaiting > 0) problems.push(`${notWaiting} of ${mostOfCaller} connections of the pool are gone`);
  if (answered < mostOfCaller)
    problems.push(`${answered} of ${mostOfCaller} requests are answered at once after the run`);
  return problems;
}

const waitingSessions = `
  select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

async function list(port: number): Promise<number | undefined> {
  const method = methods.find(({ name }) => name === "ListAuthorizations");
  if (method === undefined) throw new Error("there is no list to ask for");
  const call = { method, codec: "json", caller: "owner", plain: Buffer.from("{}") } as const;
  const lane = openLane(port);
  const headers = [...headersOf(call), ["connect-timeout-ms", "30000"] as const];
  const { answers } = await lane.exchange(oneRequest("aftermath", requestOf(call, headers)));
  lane.close();
  return answers[0]?.status;
}

/** What is measured, as soon as it is not more than this, or at last. */
async function settled(most: number, measure: () => Promise<number>): Promise<number> {
  for (const giveUpAt = Date.now() + settlingMs; ; await sleep(50)) {
    const found = await measure();
    if (found <= most || Date.now() > giveUpAt) return found;
  }
}
