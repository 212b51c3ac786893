/**
 * A process of its own for the tests to kill: opens with the options in its first argument, reports as lines of JSON,
 * and obeys one word on its standard input. When the test is gone the input ends, and so does this.
 */
import { createInterface } from "node:readline";
import { openEmbeddedPostgres } from "../../src/embedded/embedded-postgres.ts";

const report = (what: object) => process.stdout.write(`${JSON.stringify(what)}\n`);

// What Ctrl-C sends to everything in the terminal must reach us, not Postgres.
process.on("SIGINT", () => report({ interrupted: true }));

const words = createInterface({ input: process.stdin });
words.on("close", () => process.exit(0));

try {
  const options = JSON.parse(process.argv[2] ?? "{}");
  const opened = await openEmbeddedPostgres({ ...options, say: () => {} });
  report({ opened });
  words.on("line", async (word) => {
    if (word === "stop") await opened.stop();
    process.exit(0);
  });
} catch (error) {
  report({ failed: (error as Error).message });
  process.exit(1);
}
