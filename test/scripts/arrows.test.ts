// Plants violations in a copy of the layout and lets biome.json find them, so that no rule is silently without effect.

import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

// What each room may import, and what it may not: the arrows that biome.json draws between the rooms of src, and
// around the model that src is compared with.
const rooms: Record<string, { may: string[]; mayNot: string[] }> = {
  "src/authorization": {
    may: ["./authorization.ts"],
    mayNot: [
      "../directory/change.ts",
      "../identity/caller.ts",
      "../postgres/pool.ts",
      "../rpc/messages.ts",
      "../config.ts",
      "../../gen/service/filter/v2/filter_pb.ts",
      "./../postgres/pool.ts",
      "@bufbuild/protobuf",
      "pg",
      "node:crypto",
    ],
  },
  "src/directory": {
    may: ["./change.ts", "../authorization/authorization.ts"],
    mayNot: ["../identity/caller.ts", "../postgres/pool.ts", "../rpc/changes.ts", "../config.ts", "pg", "node:crypto"],
  },
  "src/identity": {
    may: ["./caller.ts", "../authorization/permission.ts", "node:crypto", "jose"],
    mayNot: ["../directory/change.ts", "../postgres/pool.ts", "../rpc/caller.ts", "../config.ts", "pg", "fastify"],
  },
  "src/postgres": {
    may: [
      "./pool.ts",
      "../authorization/store.ts",
      "../directory/store.ts",
      "../identity/token.ts",
      "pg",
      "pg-copy-streams",
      "sql-template-tag",
      "node-pg-migrate",
      "node:path",
    ],
    mayNot: [
      "../../gen/service/filter/v2/filter_pb.ts",
      "@bufbuild/protobuf",
      "@connectrpc/connect",
      "fastify",
      "../rpc/messages.ts",
      "../commands/start.ts",
      "../authorization/../rpc/messages.ts",
      "../embedded/cluster.ts",
      "../server.ts",
      "../config.ts",
    ],
  },
  "src/postgres/pool": {
    may: ["./prepared.ts", "../../authorization/refusal.ts", "pg"],
    mayNot: ["../replicas/replica.ts", "../seen/reach.ts", "../stores.ts", "../../directory/store.ts", "fastify"],
  },
  "src/postgres/replicas": {
    may: ["./replica.ts", "../pool/database.ts", "../../authorization/refusal.ts", "pg"],
    mayNot: ["../seen/reach.ts", "../stores.ts", "../../limits/limits.ts", "fastify"],
  },
  "src/postgres/migrations": {
    may: ["./migrations.ts", "../pool/database.ts", "node-pg-migrate", "pg"],
    mayNot: ["../replicas/replica.ts", "../seen/reach.ts", "../stores.ts", "fastify"],
  },
  "src/postgres/seen": {
    may: ["./scopes.ts", "../../authorization/permissions.ts", "sql-template-tag"],
    mayNot: ["../pool/database.ts", "../page/page.ts", "../list/matching.ts", "../../directory/store.ts", "pg"],
  },
  "src/postgres/page": {
    may: ["./page.ts", "../pool/database.ts", "../../authorization/list.ts", "sql-template-tag"],
    mayNot: ["../seen/reach.ts", "../list/matching.ts", "../stores.ts", "../../directory/store.ts", "pg"],
  },
  "src/postgres/list": {
    may: ["./matching.ts", "../seen/reach.ts", "../page/page.ts", "../pool/database.ts", "../../authorization/list.ts"],
    mayNot: [
      "../history/list-events.ts",
      "../look-up/name-list.ts",
      "../overview/overview.ts",
      "../../directory/store.ts",
      "pg",
    ],
  },
  "src/postgres/history": {
    may: [
      "./list-events.ts",
      "../seen/reach.ts",
      "../page/page.ts",
      "../pool/database.ts",
      "../../authorization/history.ts",
    ],
    mayNot: [
      "../list/matching.ts",
      "../look-up/name-list.ts",
      "../directory/apply-changes.ts",
      "../../rpc/messages.ts",
    ],
  },
  "src/postgres/look-up": {
    may: [
      "./name-list.ts",
      "../seen/directory.ts",
      "../page/page.ts",
      "../pool/database.ts",
      "../../directory/look-ups.ts",
    ],
    mayNot: [
      "../list/matching.ts",
      "../history/list-events.ts",
      "../caller/caller-store.ts",
      "../seen/../stores.ts",
      "../../identity/store.ts",
      "pg",
    ],
  },
  "src/postgres/overview": {
    may: [
      "./overview.ts",
      "../page/page.ts",
      "../seen/reach.ts",
      "../list/matching.ts",
      "../../authorization/overview.ts",
    ],
    mayNot: ["../history/list-events.ts", "../change/project-gates.ts", "../stores.ts", "pg"],
  },
  "src/postgres/change": {
    may: ["./authorization-locks.ts", "../seen/scopes.ts", "../pool/prepared.ts", "../../authorization/store.ts"],
    mayNot: ["../directory/staging.ts", "../list/matching.ts", "../stores.ts", "pg"],
  },
  "src/postgres/caller": {
    may: ["./caller-store.ts", "../seen/entries.ts", "../../identity/store.ts"],
    mayNot: ["../directory/staging.ts", "../list/matching.ts", "../../directory/store.ts", "pg"],
  },
  "src/postgres/token": {
    may: [
      "./create-token.ts",
      "../seen/entries.ts",
      "../page/page.ts",
      "../pool/database.ts",
      "../../identity/token-store.ts",
      "node:crypto",
    ],
    mayNot: ["../directory/staging.ts", "../caller/caller-store.ts", "../../directory/store.ts", "../stores.ts", "pg"],
  },
  "src/postgres/directory": {
    may: [
      "./staging.ts",
      "../change/project-gates.ts",
      "../caller/caller-store.ts",
      "../token/token-events.ts",
      "../../directory/change.ts",
      "pg-copy-streams",
    ],
    mayNot: ["../look-up/list-administrators.ts", "../list/matching.ts", "../page/page.ts", "../stores.ts"],
  },
  "src/postgres/check": {
    may: ["./check-numbers.ts", "../pool/own-connection.ts", "pg"],
    mayNot: ["../directory/directory-store.ts", "../list/matching.ts", "../../authorization/store.ts"],
  },
  "src/embedded": {
    may: ["./cluster.ts", "node:fs", "node:fs/promises"],
    mayNot: ["../postgres/pool.ts", "../authorization/store.ts", "../config.ts", "fastify", "pg"],
  },
  "src/limits": {
    may: ["./turns.ts", "../authorization/refusal.ts", "@connectrpc/connect", "fastify", "rate-limiter-flexible"],
    mayNot: ["../authorization/store.ts", "../rpc/call.ts", "../http/refuse.ts", "../config.ts", "@bufbuild/protobuf"],
  },
  "src/rpc": {
    may: [
      "./messages/authorizations.ts",
      "./gate.ts",
      "../authorization/store.ts",
      "../directory/store.ts",
      "../identity/caller.ts",
      "../limits/fair-share.ts",
      "../../gen/service/filter/v2/filter_pb.ts",
      "@connectrpc/connect",
      "@bufbuild/protobuf",
      "@bufbuild/protobuf/wkt",
    ],
    mayNot: ["../postgres/pool.ts", "../embedded/cluster.ts", "../http/refuse.ts", "../server.ts", "pg", "fastify"],
  },
  "src/rpc/messages": {
    may: [
      "./page.ts",
      "../../authorization/list.ts",
      "../../directory/change.ts",
      "../../../gen/service/filter/v2/filter_pb.ts",
      "@bufbuild/protobuf",
    ],
    mayNot: [
      "../interceptors/validation.ts",
      "../gate.ts",
      "../directory/list-users.ts",
      "../../identity/store.ts",
      "pg",
    ],
  },
  "src/rpc/interceptors": {
    may: [
      "./validation.ts",
      "../call.ts",
      "../refusals.ts",
      "../messages/timestamps.ts",
      "../../authorization/refusal.ts",
      "../../../gen/service/filter/v2/filter_pb.ts",
      "@bufbuild/protovalidate",
    ],
    mayNot: ["../authorizations/list-authorizations.ts", "../router.ts", "../../directory/store.ts", "../../server.ts"],
  },
  "src/rpc/services": {
    may: [
      "./health.ts",
      "../around.ts",
      "../directory/list-users.ts",
      "../../authorization/store.ts",
      "../../limits/turns.ts",
      "../../../gen/grpc/health/v1/health_pb.ts",
      "@connectrpc/connect",
      "uuid",
    ],
    mayNot: ["../router.ts", "../../postgres/pool/database.ts", "../../server.ts", "fastify", "pg"],
  },
  ...Object.fromEntries(
    ["authorizations", "access", "directory", "tokens"].map((room) => [
      `src/rpc/${room}`,
      {
        may: [
          "./one.ts",
          "../call.ts",
          "../messages/page.ts",
          "../../authorization/store.ts",
          "../../directory/store.ts",
          "../../identity/authenticate.ts",
          "../../../gen/service/authorization/v2/authorization_service_pb.ts",
          "@connectrpc/connect",
        ],
        mayNot: [
          "../interceptors/validation.ts",
          "../other/one.ts",
          "../router.ts",
          "../../postgres/pool/database.ts",
          "uuid",
        ],
      },
    ]),
  ),
  "src/import-format": {
    may: [
      "./read-time.ts",
      "../rpc/messages/changes.ts",
      "../rpc/interceptors/validation.ts",
      "../directory/change.ts",
    ],
    mayNot: ["../rpc/call.ts", "../rpc/router.ts", "../postgres/pool.ts", "../commands/import.ts", "pg"],
  },
  "src/http": {
    may: [
      "./cors.ts",
      "../../gen/openapi.json",
      "../rpc/refusals.ts",
      "../console/unknown-address.ts",
      "@connectrpc/connect",
      "fastify",
      "@fastify/cors",
      "node:http",
    ],
    mayNot: [
      "../rpc/router.ts",
      "../limits/fair-share.ts",
      "../server.ts",
      "../postgres/pool/database.ts",
      "../../gen/google/rpc/error_details_pb.ts",
    ],
  },
  "src/config": {
    may: [
      "./readers.ts",
      "../identity/jwt.ts",
      "../console/settings.ts",
      "../observability/trace-settings.ts",
      "../limits/rate-limit.ts",
      "../rpc/services/standard-options.ts",
      "node:path",
    ],
    mayNot: ["../observability/log.ts", "../rpc/router.ts", "../console/page-headers.ts", "../server.ts", "fastify"],
  },
  "src/observability": {
    may: [
      "./metrics.ts",
      "../rpc/observer.ts",
      "../postgres/pool/database.ts",
      "../postgres/check/gauge-values.ts",
      "node:http",
      "fastify",
      "pino",
      "prom-client",
      "@opentelemetry/api",
    ],
    mayNot: [
      "../rpc/router.ts",
      "../postgres/migrations/migrations.ts",
      "../authorization/store.ts",
      "../config.ts",
      "../server.ts",
      "./../rpc/router.ts",
      "../../gen/service/filter/v2/filter_pb.ts",
      "@connectrpc/connect",
      "pg",
    ],
  },
  "src/console": {
    may: ["./settings.ts", "node:fs/promises", "fastify", "@fastify/accept-negotiator"],
    mayNot: ["../config.ts", "../rpc/router.ts", "../postgres/pool.ts", "../server.ts", "./../config.ts", "pg"],
  },
  "src/commands": {
    may: ["./start.ts", "../server.ts", "../config.ts", "../postgres/pool.ts", "../embedded/cluster.ts", "commander"],
    mayNot: ["../main.ts", "../../gen/service/directory/v1/change_pb.ts"],
  },
  "src/server.ts": {
    may: ["./rpc/router.ts", "./config.ts", "fastify", "@connectrpc/connect"],
    mayNot: ["../gen/service/filter/v2/filter_pb.ts", "./postgres/pool.ts", "./embedded/cluster.ts", "./main.ts", "pg"],
  },
  "src/main.ts": { may: ["./commands/start.ts", "commander"], mayNot: ["../gen/service/filter/v2/filter_pb.ts"] },
  "test/oracle/model": {
    may: ["./world.ts"],
    mayNot: [
      "../compare.ts",
      "../../support/list-model.ts",
      "../../../src/authorization/permissions.ts",
      "../../../gen/service/filter/v2/filter_pb.ts",
      "./../compare.ts",
      "pg",
      "node:crypto",
    ],
  },
};

const rules: Record<string, Record<string, string>> = {
  "lint/correctness/noUndeclaredDependencies": {
    "src/rpc/undeclared.ts": 'import { debug } from "debug";\nconsole.log(debug);',
    "src/rpc/development.ts": 'import { test } from "vitest";\nconsole.log(test);',
  },
  "lint/style/noProcessEnv": {
    "src/rpc/environment.ts": "export const path = process.env.PATH;",
    "src/log.ts": 'import { env } from "node:process";\nexport const path = env.PATH;',
  },
  "lint/style/noDefaultExport": { "src/rpc/default-export.ts": "export default 1;" },
  "lint/performance/noBarrelFile": { "src/rpc/barrel.ts": 'export { name } from "./named.ts";' },
  "lint/performance/noReExportAll": { "src/rpc/barrel-of-all.ts": 'export * from "./named.ts";' },
  "lint/suspicious/noImportCycles": {
    "src/rpc/hen.ts": 'import type { Egg } from "./egg.ts";\nexport type Hen = { lays: Egg[] };',
    "src/rpc/egg.ts": 'import type { Hen } from "./hen.ts";\nexport type Egg = { from: Hen };',
  },
  "lint/nursery/noFloatingPromises": {
    "src/rpc/floating.ts": "async function save(): Promise<void> {}\nexport function stop() {\n  save();\n}",
  },
  "lint/nursery/noMisusedPromises": {
    "src/rpc/misused.ts":
      "async function isOpen(): Promise<boolean> {\n  return true;\n}\nif (isOpen()) console.log(1);",
  },
};

const harmless: Record<string, string> = {
  "src/config/config.ts": "export const path = process.env.PATH;",
  "src/rpc/named.ts": "export const name = 1;",
  "test/rpc/named.test.ts": 'import { test } from "vitest";\nconsole.log(test, process.env.PATH);',
  "vitest.config.ts": "export default {};",
};

let copy: string;
let diagnostics: { category: string; location: { path: string; start: { line: number } } }[];

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "arrows-"));
  for (const file of ["biome.json", "package.json"]) await cp(join(root, file), join(copy, file));
  for (const [room, { may, mayNot }] of Object.entries(rooms)) {
    await plant(plantedFile(room), imports([...may, ...mayNot]));
  }
  for (const files of [...Object.values(rules), harmless]) {
    for (const [file, source] of Object.entries(files)) await plant(file, source);
  }
  diagnostics = await lint();
});

afterAll(() => rm(copy, { recursive: true }));

describe("biome reports each import that a room may not have, and no other", () => {
  test.each(Object.entries(rooms))("%s", (room, { may, mayNot }) => {
    const lines = [...may, ...mayNot];
    const reported = found("lint/style/noRestrictedImports", plantedFile(room)).map((line) => lines[line - 1]);
    expect(reported).toEqual(mayNot);
  });
});

describe("biome reports each violation of the other rules", () => {
  test.each(Object.entries(rules))("%s", (rule, files) => {
    for (const file of Object.keys(files)) expect(found(rule, file), file).not.toEqual([]);
  });

  test("and nothing where they do not apply", () => {
    expect(diagnostics.filter(({ location }) => location.path in harmless)).toEqual([]);
  });
});

function plantedFile(room: string): string {
  return room.endsWith(".ts") ? room : `${room}/planted.ts`;
}

function imports(specifiers: string[]): string {
  const ways = [
    (name: string, specifier: string) => `import { ${name} } from "${specifier}";`,
    (name: string, specifier: string) => `import type { ${name} } from "${specifier}";`,
    (name: string, specifier: string) => `export { ${name} } from "${specifier}";`,
    (name: string, specifier: string) => `export const ${name} = await import("${specifier}");`,
  ];
  return specifiers.map((specifier, i) => ways[i % ways.length]?.(`name${i}`, specifier)).join("\n");
}

async function plant(file: string, source: string): Promise<void> {
  await mkdir(dirname(join(copy, file)), { recursive: true });
  await writeFile(join(copy, file), `${source}\n`);
}

function lint(): Promise<typeof diagnostics> {
  const biome = join(root, "node_modules/.bin/biome");
  return new Promise((resolve, reject) => {
    // Biome exits with 1 because it finds what was planted; only an answer that cannot be read is a failure.
    execFile(biome, ["lint", "--reporter=json", "--max-diagnostics=none"], { cwd: copy }, (error, stdout) => {
      if (stdout) resolve(JSON.parse(stdout).diagnostics);
      else reject(error ?? new Error("biome answered nothing"));
    });
  });
}

function found(rule: string, file: string): number[] {
  return diagnostics
    .filter(({ category, location }) => category === rule && location.path === file)
    .map(({ location }) => location.start.line)
    .sort((a, b) => a - b);
}
