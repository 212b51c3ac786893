// How soon a server writes the events of ends: see README.md.
//
//   npm run bench:ends

import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { withClient } from "../../test/support/with-client.ts";
import { load, makeMigrated } from "../databases.ts";
import { currentCommit, describeMachine } from "../machine.ts";
import { writeSection } from "../pairs/section.ts";
import { openBenchPostgres } from "../postgres.ts";
import { number, table } from "../report.ts";
import { startOurs } from "../sides.ts";
import { percentile } from "../statistics.ts";

const endsPerSecond = 1_000;
const seconds = 20;
const count = endsPerSecond * seconds;
const organizations = 10;
const longestMs = 60_000;

const postgres = await openBenchPostgres(100_000);
const stops: (() => Promise<unknown>)[] = [postgres.stop];
try {
  const connection = await makeWorld();
  const server = await startOurs({ DATABASE_URL: postgres.urlOf("ends"), CONSOLE: "false" });
  stops.push(server.stop);
  const late = (await withClient(connection, measure)).sort((a, b) => a - b);
  const rows = [
    ["median, ms", number(percentile(late, 0.5)), ""],
    ["p99, ms", number(percentile(late, 0.99)), ""],
    ["longest, ms", number(percentile(late, 1)), "2,000"],
  ];
  const text = `Written by \`npm run bench:ends\` on commit ${currentCommit()}; [README.md](README.md#events-of-ends) says what is measured.

Machine: ${describeMachine()}; shared by the server, Postgres and the bench.

${number(endsPerSecond)} assignments end in each of ${seconds} seconds. How long after the end its event is there:

${table(["", "measured", "goal"], rows)}
`;
  console.log(text);
  await writeSection(path.join(import.meta.dirname, "../FEED.md"), "Events of ends", text);
} finally {
  for (const stop of stops.toReversed()) await stop();
}

/** A database with assignments of as many people, in some organizations. None has an end. */
async function makeWorld(): Promise<pg.ClientConfig> {
  const connection = await makeMigrated(postgres, "ends");
  const places = Array.from({ length: organizations }, (_, index) => String(index));
  const ids = Array.from({ length: count }, (_, index) => String(index));
  await load(connection, [
    ...places.map((id) => ({ organization: { id, name: id } })),
    ...places.map((id) => ({ project: { id, organizationId: id, name: id } })),
    ...places.map((projectId) => ({ projectRole: { projectId, key: "seller", displayName: "Seller" } })),
    ...ids.map((id) => ({ user: { id, organizationId: "0", preferredLoginName: id, displayName: id } })),
    ...ids.map((id, index) => {
      const place = String(index % organizations);
      return { authorization: { id, userId: id, projectId: place, organizationId: place, roleKeys: ["seller"] } };
    }),
  ]);
  return connection;
}

/** Lets all of them end, one after the other, and returns how late each event was there, in milliseconds. */
async function measure(client: pg.ClientBase): Promise<number[]> {
  await client.query(
    `update authorizations
     set expiration_date = now() + interval '10 seconds' + id::integer * interval '1 second' / $1::integer`,
    [endsPerSecond],
  );
  await client.query("vacuum analyze authorizations");
  const late: number[] = [];
  let last = "0";
  const giveUpAt = performance.now() + 1_000 * seconds + longestMs;
  while (late.length < count) {
    if (performance.now() > giveUpAt) throw new Error(`${count - late.length} ends have no event`);
    const { rows } = await client.query<{ sequence: string; late: number }>(
      `select sequence, 1000 * extract(epoch from clock_timestamp() - time)::float8 as late
       from events where sequence > $1 and type = 'user.grant.expired' order by sequence`,
      [last],
    );
    last = rows.at(-1)?.sequence ?? last;
    for (const row of rows) late.push(row.late);
    await sleep(20);
  }
  return late;
}
