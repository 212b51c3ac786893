import type pg from "pg";
import { withClient } from "../../test/support/with-client.ts";
import { askOurs, type Bench, type Case, type Comparison, compare, untilIdle } from "../bench.ts";
import { type Load, send } from "../load.ts";
import { startOurs } from "../sides.ts";
import { removeCreated } from "./put-back.ts";

/** 32 writers in one organization and project, with the totals kept and without. */
export const createCase: Case = {
  name: "create",
  title: "32 writers creating in one organization and project, with the totals kept ÷ without",
  async run(bench) {
    const triggers = await withClient(bench.world, totalsTriggers);
    if (triggers.length === 0) return { measurements: [], numbers: {}, notes: ["This schema keeps no totals."] };
    // As many connections to Postgres as writers, so that they meet there.
    const server = await startOurs({ DATABASE_URL: bench.worldUrl, DATABASE_POOL_SIZE: "32" });
    try {
      const widened = { ...bench, servers: { ...bench.servers, ours: server } };
      const measurements = await compare(bench, await comparison(widened, triggers));
      const [kept, without] = measurements;
      const ratio = (kept?.achieved ?? Number.NaN) / (without?.achieved ?? Number.NaN);
      return { measurements, numbers: { "kept ÷ without": ratio }, notes: [] };
    } finally {
      await server.stop();
      await withClient(bench.world, (client) => switchTriggers(client, triggers, "enable"));
    }
  },
};

async function comparison(bench: Bench, triggers: readonly Trigger[]): Promise<Comparison> {
  const { rows: places } = await withClient(bench.world, (client) => client.query(selectPlace));
  const { rows: users } = await withClient(bench.world, (client) => client.query(selectUsers, [places[0].project_id]));
  let count = 0;
  const body = () => {
    count += 1;
    return JSON.stringify({ ...places[0].request, userId: users[count % users.length].id });
  };
  const side = (name: string, mode: "enable" | "disable") => ({
    name,
    async run(load: Load) {
      await withClient(bench.world, (client) => switchTriggers(client, triggers, mode));
      const run = await send({ ...askOurs(bench, "largest", "CreateAuthorization", {}), body }, load);
      await untilIdle(bench);
      await withClient(bench.world, removeCreated);
      return run;
    },
  });
  return {
    load: "32 at once",
    connections: 32,
    sides: [side("totals kept", "enable"), side("totals not kept", "disable")],
  };
}

type Trigger = { readonly name: string; readonly table: string };

async function totalsTriggers(client: pg.Client): Promise<Trigger[]> {
  const { rows } = await client.query<Trigger>(`
    select tgname as name, tgrelid::regclass::text as table from pg_trigger where tgname = 'events_keep_numbers'`);
  return rows;
}

async function switchTriggers(
  client: pg.Client,
  triggers: readonly Trigger[],
  mode: "enable" | "disable",
): Promise<void> {
  for (const { name, table } of triggers) await client.query(`alter table ${table} ${mode} trigger ${name}`);
}

// The place of the largest organization that the fewest users have an authorization in.
const selectPlace = `
  select p.project_id,
    json_build_object('projectId', p.project_id, 'organizationId', o.id, 'roleKeys', array['viewer', 'editor']) as request
  from bench.places p
  join bench.organizations o on o.number = p.organization
  where p.organization = 0 and p.project_grant_id = ''
  order by p.number desc
  limit 1`;

const selectUsers = `
  select id from users u
  where not exists (select from authorizations a where a.user_id = u.id and a.project_id = $1)
  order by md5(id)
  limit 200000`;
