import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { serveTests } from "../support/server.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const generator = join(import.meta.dirname, "openapi/generate.mjs");

/** What somebody would write who knows nothing of Connect. */
const program = `
import { client } from "./client/client.gen.ts";
import { listAuthorizations, updateAuthorization } from "./client/sdk.gen.ts";

client.setConfig({ baseUrl: process.env.BASE_URL!, auth: () => process.env.TOKEN! });
const headers = { "Connect-Protocol-Version": "1" } as const;
const { data, error } = await listAuthorizations({
  headers,
  body: { filters: [{ userId: { id: "ann" } }, { state: { state: "STATE_ACTIVE" } }], pagination: { limit: 10 } },
});
if (data === undefined) throw new Error(error.message);
const total: number | undefined = data.pagination?.totalResult;
const refused = await updateAuthorization({ headers, body: { id: "unknown", roleKeys: [] } });
console.log(JSON.stringify({
  total,
  found: data.authorizations.map(({ id, user, roles }) => [id, user?.displayName, roles.map(({ key }) => key)]),
  refused: [refused.response?.status, refused.error?.code],
}));
`;

/** The generated code is written for looser settings than ours. */
const tsconfig = {
  extends: "../../tsconfig.json",
  compilerOptions: {
    exactOptionalPropertyTypes: false,
    noUncheckedIndexedAccess: false,
    lib: ["esnext", "dom", "dom.iterable"],
  },
  include: ["program.ts"],
};

const server = await serveTests({ smallWorld: true });
await mkdir(join(root, ".cache"), { recursive: true });
const folder = await mkdtemp(join(root, ".cache/openapi-client-"));
afterAll(() => rm(folder, { recursive: true }));

test("A client that is generated from /openapi.json compiles, lists assignments, and gets errors in their shape", async () => {
  await writeFile(join(folder, "openapi.json"), await (await fetch(`${server.url}/openapi.json`)).text());
  await run(process.execPath, [generator, "openapi.json", "client"], { cwd: folder });
  await writeFile(join(folder, "program.ts"), program);
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(tsconfig));
  await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", folder]);

  const env = { ...process.env, BASE_URL: server.url, TOKEN: await server.database.token("root") };
  const { stdout } = await run(process.execPath, ["program.ts"], { cwd: folder, env });
  expect(JSON.parse(stdout)).toEqual({
    total: 1,
    found: [["a1", "ann of acme", ["owner", "seller"]]],
    refused: [404, "not_found"],
  });
});
