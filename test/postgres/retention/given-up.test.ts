import { expect, test } from "vitest";
import { stopKeeping, takenSequences } from "../../../src/postgres/retention/archive.ts";
import { apply, project, remove } from "../../support/changes.ts";
import { serveSmallWorld } from "../../support/server.ts";

// While everything is archived and nothing has happened since, but nothing is deleted yet.

const { server, root } = await serveSmallWorld();
await apply(server, root, project("gone", "acme"));
const client = await server.database.connect();
const { event, directoryEvent } = await takenSequences(client);
const last = { event: BigInt(event), directoryEvent: BigInt(directoryEvent) };
await stopKeeping(client, { event: String(last.event + 1n), directoryEvent: String(last.directoryEvent + 1n) });

test("a removed thing still hides the archived events about it from a new thing with its id", async () => {
  await apply(server, root, remove({ projectId: "gone" }));
  const [removed] = await server.database.query<{ last: string; lastOfDirectory: string }>(`
    select last_event::text as last, last_directory_event::text as "lastOfDirectory"
    from removed_things where kind = 'project' and id = 'gone'`);
  expect(BigInt(removed?.last ?? 0)).toBeGreaterThanOrEqual(last.event);
  expect(BigInt(removed?.lastOfDirectory ?? 0)).toBeGreaterThanOrEqual(last.directoryEvent);
});

test("a version is good for a thing whose events are archived and not yet deleted", async () => {
  const send = (changes: object[], ifVersion = "") =>
    server.callDirectory("ApplyChanges", { changes, ...(ifVersion !== "" && { ifVersion }) }, { token: root });
  const { version } = (await send([])).body;
  const answer = await send([{ organization: { id: "acme", name: "Acme again" } }], version);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
});

test("only archived events can be deleted, also by the owner of the tables", async () => {
  const { query } = server.database;
  expect((await server.call("DeactivateAuthorization", { id: "a1" }, { token: root })).status).toBe(200);
  for (const table of ["events", "directory_events", "directory_event_places"]) {
    for (const statement of [`update ${table} set time = now()`, `truncate ${table}`, `delete from ${table}`]) {
      await expect(query(statement), statement).rejects.toThrow("events are never changed or deleted");
    }
  }
  const kept = () =>
    query(`select (select count(*) from kept_events)::integer as events,
      (select count(*) from kept_directory_events)::integer as "directoryEvents",
      (select count(*) from kept_directory_event_places)::integer as places`);
  const before = await kept();
  const counts: number[] = [];
  do {
    const [row] = await query<{ deleted: number }>("select delete_archived(3)::integer as deleted");
    counts.push(row?.deleted ?? 0);
  } while (counts.at(-1) !== 0);
  expect(Math.max(...counts)).toBe(6);
  expect(counts.length).toBeGreaterThan(2);
  expect(await kept()).toEqual(before);
  expect(
    await query(`select (select count(*) from events)::integer as events,
      (select count(*) from directory_events)::integer as "directoryEvents",
      (select count(*) from directory_event_places)::integer as places`),
  ).toEqual(before);
});
