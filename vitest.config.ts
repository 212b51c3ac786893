import { join, relative } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { limits } from "./test/support/limits.ts";

// What Node has made of a file serves every process that tests start.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, ".cache/node");

/** Files that take longest, mostly waiting: begun first, the others run beside them. */
const slowest = [
  "test/oracle/oracle.long.test.ts",
  "test/history/history.long.test.ts",
  "test/commands/export.long.test.ts",
  "test/wire/slow-clients.long.test.ts",
  "test/commands/command-line.long.test.ts",
  "test/commands/backup.long.test.ts",
  "test/security/postgres-tls.long.test.ts",
  "test/security/service-role.long.test.ts",
];

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = slowest.length;
    const place = ({ moduleId }: TestSpecification) => {
      const index = slowest.indexOf(relative(import.meta.dirname, moduleId));
      return index < 0 ? others : index;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

/** What starts commands, servers and Postgres as processes, races, or compares much with a model: `npm run test:long`. */
const long = ["test/**/*.long.test.ts"];

export default defineConfig({
  test: {
    // Most share the modules of their process, because loading them for each file took a third of the time.
    projects: [
      { extends: true, test: { name: "long", include: long } },
      { extends: true, test: { name: "short", include: ["test/**/*.test.ts"], exclude: long, isolate: false } },
      "console/vitest.config.ts",
      "console/vitest.replacing.config.ts",
    ],
    globalSetup: "test/support/cluster.ts",
    // Three at a time also on two cores: many tests wait for a process, a lock or a deadline. Every file creates a
    // database of its own.
    pool: "forks",
    maxWorkers: 3,
    sequence: { sequencer: SlowestFirst },
    ...limits,
  },
});
