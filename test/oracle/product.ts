import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { newActor } from "../../src/authorization/actor.ts";
import { toRfc3339 } from "../../src/authorization/instant.ts";
import { Refusal } from "../../src/authorization/refusal.ts";
import { newToken } from "../../src/identity/tokens.ts";
import { writeChange } from "../../src/import-format/changes.ts";
import { settleAll } from "../../src/postgres/change/settle.ts";
import { exportAll } from "../../src/postgres/directory/export/export.ts";
import { withOwnConnection } from "../../src/postgres/pool/own-connection.ts";
import { type Cut, deleteSome, stopKeeping } from "../../src/postgres/retention/archive.ts";
import { postgresStores } from "../../src/postgres/stores.ts";
import { operatorTokens } from "../../src/postgres/token/token-store.ts";
import { buildServer } from "../../src/server.ts";
import { post } from "../support/call-headers.ts";
import { clearEverything } from "../support/clear-everything.ts";
import { openService, useDatabase } from "../support/database.ts";
import { withFewRows } from "../support/few-rows.ts";
import { testLimits } from "../support/server.ts";
import { root } from "./generate-world.ts";
import type { Change } from "./model/change.ts";
import type { DirectoryEvent, Event } from "./model/world.ts";

/** What came back over HTTP; the text is the whole body. */
export type Answer = { readonly status: number; readonly text: string; readonly body: any };

export type Product = Awaited<ReturnType<typeof openProduct>>;

/** The service on a real port and on a migrated database that it has for itself. */
export async function openProduct(url: string) {
  const stored = useDatabase(url, async () => {});
  const faults: string[] = [];
  const database = openService(url, { poolSize: 4 });
  const app = await buildServer({
    stores: postgresStores(withFewRows(database, 2)),
    limits: { ...testLimits, defaultTimeoutMs: 30_000 },
    corsOrigins: [],
    log: pino({ level: "error" }, { write: (line: string) => void faults.push(line) }),
    isReady: async () => true,
    stopping: new AbortController().signal,
  });
  const baseUrl = await app.listen({ host: "127.0.0.1", port: 0 });
  const operators = operatorTokens(database);
  let seen = { events: "0", directoryEvents: "0" };

  return {
    /** What it logged as unexpected. */
    faults,
    call: (rpc: string, request: object, token: string | undefined) =>
      // Packing and unpacking would take a good part of the time of a call.
      ask(baseUrl, token, rpc, request, { headers: { "accept-encoding": "identity" } }),
    /** Imports as the command line does; resolves to the reason when that is refused. */
    async import(changes: readonly Change[]): Promise<string | undefined> {
      try {
        await stored.import(...changes);
        return undefined;
      } catch (error) {
        if (error instanceof Refusal) return error.reason;
        throw error;
      }
    },
    /** Removes everything but an owner of the instance. */
    async reset() {
      await stored.query(clear);
      seen = { events: "0", directoryEvents: "0" };
      faults.length = 0;
    },
    /** Creates a token of the user as the command line does. */
    async token(userId: string) {
      const { token, hash } = newToken();
      await operators.create({ userId, name: "", hash }, undefined, newActor(undefined, ""));
      return token;
    },
    /** Turns a token into one that was made with another, as if an IAM_OWNER had. */
    async madeWith(id: string, other: string) {
      await stored.query("update tokens set made_with = $2 where id = $1", [id, other]);
    },
    /** Revokes a token by its id. */
    async revoke(id: string) {
      await operators.revoke(id, newActor(undefined, ""));
    },
    /** Sets the end of an authorization, as if the clock had passed it. */
    async setEnd(id: string, end: bigint) {
      await stored.query("update authorizations set expiration_date = $2 where id = $1", [id, toRfc3339(end)]);
    },
    /** Writes the ends that have passed. */
    settle: () => settleAll(database, AbortSignal.timeout(60_000)),
    /** Archives the events before these. */
    archive: (cut: Cut) =>
      withOwnConnection({ connectionString: url }, async (client) => {
        await stopKeeping(client, cut);
        while ((await deleteSome(client)) > 0);
      }),
    /** The events since the last call. */
    async newEvents() {
      const rows = await stored.query<Event>(selectEvents, [seen.events]);
      seen.events = rows.at(-1)?.sequence ?? seen.events;
      return rows;
    },
    /** The same of the directory. */
    async newDirectoryEvents() {
      const rows = await stored.query<DirectoryEvent>(selectDirectoryEvents, [seen.directoryEvents]);
      seen.directoryEvents = rows.at(-1)?.sequence ?? seen.directoryEvents;
      return rows;
    },
    /** Everything there is, as lines of the import format. */
    async exported() {
      const lines: string[] = [];
      await exportAll({ connectionString: url }, async (things) => void lines.push(...things.map(writeChange)));
      return lines;
    },
    /** Removes everything, and imports the lines. */
    async restore(lines: readonly string[]) {
      await stored.query(clearAll);
      await stored.import(...lines.map((line) => JSON.parse(line)));
    },
    async stop() {
      await app.close();
      await database.close();
      await stored.drop();
    },
  };
}

const clearAll = `${clearEverything}; update kept_history set first_event = 0, first_directory_event = 0`;

const clear = `
  ${clearAll};
  insert into organizations (id, name) values ('${root.organizationId}', 'Home');
  insert into users (id, organization_id, preferred_login_name, display_name, avatar_url)
  values ('${root.userId}', '${root.organizationId}', 'root', '', '');
  insert into administrators (user_id, roles) values ('${root.userId}', '{IAM_OWNER}')`;

const selectEvents = `
  select e.sequence, e.authorization_id as "authorizationId", e.type, e.time, e.actor_id as "actorId",
    e.user_id as "userId", e.project_id as "projectId", e.organization_id as "organizationId",
    e.project_grant_id as "projectGrantId", e.role_keys as "roleKeys",
    'STATE_' || upper(e.state::text) as state,
    case when e.type = 'user.grant.added' then '{}' else e.role_keys_before end as "roleKeysBefore",
    case when e.type <> 'user.grant.added' then 'STATE_' || upper(e.state_before::text) end as "stateBefore",
    e.expiration_date as "expirationDate",
    case when e.type <> 'user.grant.added' then e.expiration_date_before end as "expirationDateBefore",
    coalesce(e.request_id::text, '') as "requestId", e.reason
  from events e
  where e.sequence > $1
  order by e.sequence`;

const selectDirectoryEvents = `
  select e.sequence, e.time, e.kind, e.id, e.within, e.user_id as "userId", e.actor_id as "actorId",
    e.request_id as "requestId", e.reason, e.before, e.after,
    array(
      select p.kind || ':' || p.id from directory_event_places p
      where p.sequence = e.sequence order by (p.kind || ':' || p.id) collate "C") as places
  from directory_events e
  where e.sequence > $1
  order by e.sequence`;

/** Asks again as a client does that the server was too busy for: on a machine with other work, that is no wrong answer. */
async function ask(...call: Parameters<typeof post>): Promise<Answer> {
  for (;;) {
    const answer = await post(...call);
    const text = await answer.text();
    const retryAfter = answer.headers.get("retry-after");
    if (retryAfter === null) return { status: answer.status, text, body: text === "" ? undefined : JSON.parse(text) };
    await sleep(Number(retryAfter) * 1_000);
  }
}
