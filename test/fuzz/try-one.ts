import pg from "pg";
import { anyInput } from "./any-input.ts";
import { describe, isChanging } from "./campaign.ts";
import { openLane } from "./connection.ts";
import { judge } from "./judge.ts";
import { startProduct } from "./product.ts";
import { resetWorld } from "./world.ts";

/** Sends one input to a service whose world is as made, and prints it and what comes back. */
export async function tryOne(databaseUrl: string, seed: number, index: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await resetWorld(client, { connectionString: databaseUrl });
  await client.end();
  const product = await startProduct(databaseUrl);
  const input = anyInput(seed, index, isChanging(index));
  process.stdout.write(`${describe(seed, index)}\n`);
  const lane = openLane(product.port);
  const { answers, isClosed, problem } = await lane.exchange(input);
  lane.close();
  const problems = [problem, ...answers.map((answer) => judge(input, answer, input.keepsAlive).problem)];
  for (const { status, headers, body } of answers) {
    const lines = [...headers].map(([name, value]) => `${name}: ${value}`);
    process.stdout.write(`\n${[status, ...lines].join("\n")}\n\n${body}\n`);
  }
  if (isClosed) process.stdout.write("\nThe connection was closed.\n");
  await product.stop();
  const found = [...problems, ...product.faults].filter((each) => each !== undefined);
  for (const each of found) process.stdout.write(`\n${each}\n`);
  if (found.length > 0) process.exitCode = 1;
}
