import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { openLane } from "./connection.ts";
import { type Product, poolSize } from "./product.ts";
import { headersOf, methods, oneRequest, requestOf } from "./requests.ts";
import { resetWorld } from "./world.ts";

/** How long it may take until nothing is left of what went on: the server lets go of the last connections after 2 s. */
const settlingMs = 8_000;

/** What a run must not leave behind. Resolves to what it did, for people. */
export async function aftermath(product: Product, databaseUrl: string, filesBefore: number | undefined) {
  const problems: string[] = [];
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await resetWorld(client, { connectionString: databaseUrl });
    const answered = await callAtOnce(product.port);
    if (answered !== poolSize) problems.push(`${answered} of ${poolSize} requests are answered at once after the run`);
    const busy = await settled(0, async () => (await client.query(busySessions)).rowCount ?? 0);
    if (busy > 0) problems.push(`${busy} sessions of Postgres are still busy`);
    // Every connection of the pool may be open now that was not at the beginning.
    const most = (filesBefore ?? 0) + poolSize + 5;
    const files = await settled(most, async () => (await product.openFiles()) ?? 0);
    if (filesBefore !== undefined && files > most)
      problems.push(`${files} open files, ${filesBefore} at the beginning`);
  } finally {
    await client.end();
  }
  return problems;
}

const busySessions = `
  select from pg_stat_activity
  where datname = current_database() and application_name = 'authorization-service' and state <> 'idle'`;

/** As many lists at once as there are connections to Postgres; how many get their rows. */
async function callAtOnce(port: number): Promise<number> {
  const method = methods.find(({ name }) => name === "ListAuthorizations");
  if (method === undefined) throw new Error("there is no list to ask for");
  const call = { method, codec: "json", caller: "owner", plain: Buffer.from("{}") } as const;
  const input = oneRequest("aftermath", requestOf(call, [...headersOf(call), ["connect-timeout-ms", "5000"]]));
  const outcomes = await Promise.all(
    Array.from({ length: poolSize }, async () => {
      const lane = openLane(port);
      const { answers } = await lane.exchange(input);
      lane.close();
      return answers[0]?.status;
    }),
  );
  return outcomes.filter((status) => status === 200).length;
}

/** What is measured, as soon as it is not more than this, or at last. */
async function settled(most: number, measure: () => Promise<number>): Promise<number> {
  for (const giveUpAt = Date.now() + settlingMs; ; await sleep(50)) {
    const found = await measure();
    if (found <= most || Date.now() > giveUpAt) return found;
  }
}
