import pg from "pg";
import { onTestFinished } from "vitest";

/** Other clients of a pooler, which begin one transaction after the other until the test ends. */
export async function addTraffic(url: string, clients: number): Promise<void> {
  let over = false;
  const working = Array.from({ length: clients }, async () => {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => {});
    await client.connect();
    while (!over) await client.query("begin; select 1; commit");
    await client.end();
  });
  onTestFinished(async () => {
    over = true;
    await Promise.allSettled(working);
  });
}
