import { expect, test } from "vitest";
import { postgresFeed } from "../../../src/postgres/history/feed.ts";
import { migrate } from "../../../src/postgres/migrations/migrations.ts";
import { openPostgres } from "../../history/postgres.ts";
import { openService } from "../../support/database.ts";
import { scratchFolder } from "../../support/scratch-postgres.ts";

const { signal } = new AbortController();
const append = `
  insert into events (authorization_id, type, time, user_id, project_id, organization_id, project_grant_id, role_keys,
      state, creation_date, request_id)
    values ('a1', 'user.grant.added', now(), 'ann', 'shop', 'acme', '', '{}', 'active', now(), gen_random_uuid())`;

test("After a crash, Postgres gives the number of a lost transaction again, and the feed leaves out nothing", async () => {
  const postgres = await openPostgres(await scratchFolder());
  try {
    await migrate(postgres.connection);
    const database = openService(postgres.url);
    const feed = postgresFeed(database);
    await postgres.withClient(async (client) => void (await client.query(append)));
    const first = await feed.look(undefined, signal);
    await postgres.withClient(async (client) => {
      await client.query("begin");
      await client.query("select pg_current_xact_id()");
      await client.query("rollback");
    });
    // These transactions have ended, but nothing of them is on the disk.
    const { moment: since } = await feed.look(first.moment, signal);
    const { moment: fromNow } = await feed.look(undefined, signal);
    await database.close();
    await postgres.restart("kill");
    await postgres.withClient(async (client) => void (await client.query(append)));
    const again = openService(postgres.url);
    for (const moment of [since, fromNow]) {
      const { span, events } = await postgresFeed(again).look(moment, signal);
      expect(events).toHaveLength(1);
      expect(span).toBeDefined();
    }
    await again.close();
  } finally {
    await postgres.stop();
  }
});
