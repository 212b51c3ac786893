// Plants imports in a copy of the layout and lets biome.json find them, so that no arrow is silently without effect.

import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { root } from "../support/repository.ts";

// What each room may not import: the arrows that biome.json draws between the rooms of src, and around the model that src
// is compared with. What a room may import, the code of the room shows.
const rooms: Record<string, string[]> = {
  "src/authorization": ["./../postgres/pool.ts", "../directory/change.ts", "../identity/caller.ts", "../config.ts"],
  "src/directory": ["../identity/caller.ts", "../postgres/pool.ts", "../rpc/changes.ts", "../config.ts", "pg"],
  "src/identity": ["../directory/change.ts", "../postgres/pool.ts", "../rpc/caller.ts", "../config.ts", "pg"],
  "src/postgres": ["../authorization/../rpc/messages.ts", "../../gen/service/filter/v2/filter_pb.ts", "fastify"],
  "src/postgres/pool": ["../replicas/replica.ts", "../seen/reach.ts", "../stores.ts", "../../directory/store.ts"],
  "src/postgres/replicas": ["../seen/reach.ts", "../stores.ts", "../../limits/limits.ts", "fastify"],
  "src/postgres/migrations": ["../replicas/replica.ts", "../seen/reach.ts", "../stores.ts", "fastify"],
  "src/postgres/seen": ["../pool/database.ts", "../page/page.ts", "../list/matching.ts", "../../directory/store.ts"],
  "src/postgres/page": ["../seen/reach.ts", "../list/matching.ts", "../stores.ts", "../../directory/store.ts", "pg"],
  "src/postgres/list": ["../history/list-events.ts", "../look-up/name-list.ts", "../overview/overview.ts", "pg"],
  "src/postgres/history": ["../list/matching.ts", "../look-up/name-list.ts", "../directory/apply-changes.ts"],
  "src/postgres/look-up": ["../seen/../stores.ts", "../list/matching.ts", "../history/list-events.ts", "pg"],
  "src/postgres/overview": ["../history/list-events.ts", "../change/project-gates.ts", "../stores.ts", "pg"],
  "src/postgres/change": ["../directory/staging.ts", "../list/matching.ts", "../stores.ts", "pg"],
  "src/postgres/caller": ["../directory/staging.ts", "../list/matching.ts", "../../directory/store.ts", "pg"],
  "src/postgres/token": ["../directory/staging.ts", "../caller/caller-store.ts", "../../directory/store.ts", "pg"],
  "src/postgres/directory": ["./import/preview.ts", "./export/export.ts", "../list/matching.ts", "../page/page.ts"],
  "src/postgres/directory/stage": ["../offboard.ts", "../apply/after.ts", "../../pool/../stores.ts", "pg"],
  "src/postgres/directory/apply": ["../offboard.ts", "../import/preview.ts", "../../list/matching.ts", "pg"],
  "src/postgres/directory/import": ["../offboard.ts", "../export/export.ts", "../../list/matching.ts"],
  "src/postgres/directory/export": ["../offboard.ts", "../apply/apply-changes.ts", "../import/preview.ts"],
  "src/postgres/check": ["../directory/directory-store.ts", "../list/matching.ts", "../../authorization/store.ts"],
  "src/embedded": ["../postgres/pool.ts", "../authorization/store.ts", "../config.ts", "fastify", "pg"],
  "src/limits": ["../authorization/store.ts", "../rpc/call.ts", "../http/refuse.ts", "../config.ts"],
  "src/rpc": ["../postgres/pool.ts", "../embedded/cluster.ts", "../http/refuse.ts", "../server.ts", "pg", "fastify"],
  "src/rpc/messages": ["../interceptors/validation.ts", "../gate.ts", "../directory/list-users.ts", "pg"],
  "src/rpc/interceptors": ["../authorizations/list-authorizations.ts", "../router.ts", "../../directory/store.ts"],
  "src/rpc/services": ["../router.ts", "../../postgres/pool/database.ts", "../../server.ts", "fastify", "pg"],
  "src/rpc/authorizations": ["../interceptors/validation.ts", "../other/one.ts", "../router.ts", "uuid"],
  "src/rpc/access": ["../interceptors/validation.ts", "../other/one.ts", "../router.ts", "uuid"],
  "src/rpc/directory": ["../interceptors/validation.ts", "../other/one.ts", "../router.ts", "uuid"],
  "src/rpc/tokens": ["../interceptors/validation.ts", "../other/one.ts", "../router.ts", "uuid"],
  "src/import-format": ["../rpc/call.ts", "../rpc/router.ts", "../postgres/pool.ts", "../commands/import.ts", "pg"],
  "src/authzen": ["../postgres/stores.ts", "../http/refuse.ts", "../server.ts", "pg", "fastify"],
  "src/http": ["../rpc/router.ts", "../limits/fair-share.ts", "../server.ts", "../postgres/pool/database.ts"],
  "src/config": ["../observability/log.ts", "../rpc/router.ts", "../console/page-headers.ts", "../server.ts"],
  "src/observability": ["./../rpc/router.ts", "../rpc/router.ts", "../postgres/migrations/migrations.ts", "pg"],
  "src/console": ["./../config.ts", "../config.ts", "../rpc/router.ts", "../postgres/pool.ts", "../server.ts", "pg"],
  "src/commands": ["../main.ts", "../../gen/service/directory/v1/change_pb.ts"],
  "src/server.ts": ["../gen/service/filter/v2/filter_pb.ts", "./postgres/pool.ts", "./embedded/cluster.ts", "pg"],
  "src/main.ts": ["../gen/service/filter/v2/filter_pb.ts"],
  "test/oracle/model": ["./../compare.ts", "../compare.ts", "../../support/list-model.ts", "pg", "node:crypto"],
};

const copy = await mkdtemp(join(tmpdir(), "arrows-"));
for (const file of ["biome.json", "package.json"]) await cp(join(root, file), join(copy, file));
for (const [room, mayNot] of Object.entries(rooms)) {
  await plant(plantedFile(room), imports(mayNot));
}
const diagnostics = await lint();
afterAll(() => rm(copy, { recursive: true }));

test.each(Object.entries(rooms))("biome reports each import that %s may not have", (room, mayNot) => {
  const lines = found("lint/style/noRestrictedImports", plantedFile(room));
  expect(lines.map((line) => mayNot[line - 1])).toEqual(mayNot);
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

type Diagnostic = { category: string; location: { path: string; start: { line: number } } };

function lint(): Promise<Diagnostic[]> {
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
