import { join, relative } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { limits } from "./test/support/limits.ts";

// What Node has made of a file serves every process that tests start.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, ".cache/node");

/** Files that take longest, mostly waiting: begun first, the others run beside them. */
const slowest = [
  "test/oracle/oracle.test.ts",
  "test/history/history.test.ts",
  "test/commands/export.test.ts",
  "test/wire/slow-clients.test.ts",
  "test/commands/command-line.test.ts",
  "test/commands/backup.test.ts",
  "test/security/postgres-tls.test.ts",
  "test/security/service-role.test.ts",
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
const long = [
  "test/bench/simulation.test.ts",
  "test/clients/openapi-client.test.ts",
  "test/deploy/**/*.test.ts",
  "test/documentation/command-line.test.ts",
  "test/{commands,embedded,rolling}/**/*.test.ts",
  "test/{connections/connections,fuzz/fuzz,history/history,history/planted-replicas,oracle/oracle}.test.ts",
  "test/directory/{concurrent-*,delegated-changes,entries-removed-twice,last-owner-races,outcomes-too-large}.test.ts",
  "test/directory/{permitted-changes,planned-changes,removals-with-upserts,removed-organizations}.test.ts",
  "test/directory/{side-by-side,too-many-entries,what-follows}.test.ts",
  "test/examples/access-as-code.test.ts",
  "test/observability/what-is-loaded.test.ts",
  "test/http/library-route.test.ts",
  "test/postgres/list/*-shapes.test.ts",
  "test/postgres/{import-in-sets,import-order,import-texts,logical-restore,numbers,overview-counts}.test.ts",
  "test/postgres/{unconfirmed-commits,upgrade}.test.ts",
  "test/postgres/replicas/{fail-over,fail-over-follow,failing-replicas,half-flushed,long-fork}.test.ts",
  "test/postgres/replicas/{never-stale,requests,timelines}.test.ts",
  "test/rpc/{batches-equal-single-calls,concurrent-*,create-authorization-races,crowded-scopes}.test.ts",
  "test/rpc/{explain-access-agreement,large-pages,list-*-model,look-ups-model}.test.ts",
  "test/scripts/{build-console,ci-run}.test.ts",
  "test/security/{container,injection,memory-of-answers,postgres-tls,service-role}.test.ts",
  "test/wire/{cancel-stress,grpc-health,http2-slow-clients,postgres-faults,protocols,slow-clients}.test.ts",
];

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
