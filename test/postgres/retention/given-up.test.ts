import { afterAll, beforeAll, expect, test } from "vitest";
import { type Month, stopKeeping } from "../../../src/postgres/retention/archive.ts";
import { apply, project, remove } from "../../support/changes.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

// While no month but the next one is kept, as if everything was archived and nothing has happened since.

let server: TestServer;
let root: string;
let kept: bigint;

beforeAll(async () => {
  server = await startTestServer({ smallWorld: true });
  root = await server.database.token("root");
  await apply(server, root, project("gone", "acme"));
  const [row] = await server.database.query<{ from: string; before: string }>(`
    select first_sequence(now())::text as from, first_sequence(now() + interval '1 month')::text as before`);
  await stopKeeping(await server.database.connect(), { name: "", ...row } as Month);
  kept = BigInt(row?.before ?? 0);
});
afterAll(() => server.stop());

test("a removed thing still hides the archived events about it from a new thing with its id", async () => {
  await apply(server, root, remove({ projectId: "gone" }));
  const [removed] = await server.database.query<{ last: string; lastOfDirectory: string }>(`
    select last_event::text as last, last_directory_event::text as "lastOfDirectory"
    from removed_things where kind = 'project' and id = 'gone'`);
  expect(BigInt(removed?.last ?? 0)).toBeGreaterThanOrEqual(kept - 1n);
  expect(BigInt(removed?.lastOfDirectory ?? 0)).toBeGreaterThanOrEqual(kept - 1n);
});

test("a version is good for a thing whose events are archived and not yet dropped", async () => {
  const send = (changes: object[], ifVersion = "") =>
    server.callDirectory("ApplyChanges", { changes, ...(ifVersion !== "" && { ifVersion }) }, { token: root });
  const { version } = (await send([])).body;
  const answer = await send([{ organization: { id: "acme", name: "Acme again" } }], version);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
});
