// A floor: the statements the service sends for a request, through pg alone, one request's after the other.

import pg from "pg";
import { sessionSettings, withTypes } from "../../src/postgres/pool/session.ts";

export type Job = {
  statements: { name?: string; text: string; values: unknown[] }[];
  workers: number;
  seconds: number;
  atLeast: number;
};
export type Done = { milliseconds: number[]; seconds: number; failure?: string };

const pool = new pg.Pool({
  ...withTypes({ connectionString: process.env.DATABASE_URL ?? "" }),
  max: 10,
  onConnect: async (client) => {
    await client.query(sessionSettings(120_000));
  },
});

process.on("message", (job: Job) => {
  work(job).then(
    (done) => process.send?.(done),
    (error: Error) => process.send?.({ milliseconds: [], seconds: 0, failure: error.message }),
  );
});
process.on("disconnect", () => process.exit());
process.send?.("ready");

async function work({ statements, workers, seconds, atLeast }: Job): Promise<Done> {
  const milliseconds: number[] = [];
  const started = performance.now();
  const elapsed = () => (performance.now() - started) / 1000;
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (elapsed() < seconds || milliseconds.length < atLeast) {
        const before = performance.now();
        const client = await pool.connect();
        try {
          for (const statement of statements) await client.query(statement);
        } finally {
          client.release();
        }
        milliseconds.push(performance.now() - before);
      }
    }),
  );
  return { milliseconds, seconds: elapsed() };
}
