import { setTimeout as sleep } from "node:timers/promises";
import { withClient } from "../../test/support/with-client.ts";
import { askOurs, askRival, type Bench, type Case, compare } from "../bench.ts";
import { type CallerKind, callerKinds } from "../callers.ts";
import { ask, type Post } from "../load.ts";
import { httpSide } from "../sides.ts";
import { median } from "../statistics.ts";
import { selectNew as selectNewAnywhere } from "../world/new-assignments.ts";
import { equalAnswer } from "./equal-answers.ts";
import { latency } from "./pages.ts";
import { removeCreated, restoreUpdated, saveForUpdate, worldEnd } from "./put-back.ts";
import { backAndForth, idsToUpdate } from "./update.ts";

// What applications send all day, by turns to the service and to the rival, with the processor time of each.

/** The load of a duel, by which the report finds it. */
export const duelLoad = "8 at once";

/** Longer than pg keeps a connection that nobody uses. */
const idleSeconds = 12;

const page = { pagination: { limit: 100 } };
const search = {
  filters: [{ userDisplayName: { displayName: "na quillf", method: "TEXT_FILTER_METHOD_CONTAINS_IGNORE_CASE" } }],
};

const lists: readonly { name: string; title: string; kind: CallerKind; request: object }[] = [
  { name: "own", title: "own list of a plain user", kind: "own", request: {} },
  { name: "small", title: "page of 100, ordinary organization", kind: "small", request: page },
  { name: "project", title: "page of 100, project of the largest organization", kind: "project", request: page },
  { name: "ordinary-project", title: "page of 100, ordinary project", kind: "ordinary-project", request: page },
  { name: "fifty", title: "page of 100, viewer of 50 organizations", kind: "fifty", request: page },
  { name: "search", title: "search, everything visible", kind: "instance", request: search },
  { name: "search-largest", title: "search in the largest organization", kind: "largest", request: search },
];

export const duels: readonly Case[] = [
  ...lists.map(
    ({ name, title, kind, request }): Case => ({
      name: `duel-${name}`,
      title,
      async run(bench) {
        const ours = askOurs(bench, kind, "ListAuthorizations", request);
        const rival = askRival(bench, kind, "list", request);
        const { pagination, authorizations } = await equalAnswer(ours, rival, callerKinds[kind]);
        return {
          measurements: await duel(bench, ours, rival),
          numbers: { rows: authorizations.length, total: pagination.totalResult },
          notes: [],
        };
      },
    }),
  ),
  {
    name: "duel-update",
    slow: true,
    title: "UpdateAuthorization",
    async run(bench) {
      const ids = await idsToUpdate(bench);
      await withClient(bench.world, (client) => saveForUpdate(client, ids));
      try {
        const ours = backAndForth(askOurs(bench, "largest", "UpdateAuthorization", {}), ids);
        const rival = backAndForth(askRival(bench, "largest", "update", {}), ids);
        return { measurements: await duel(bench, ours, rival), numbers: {}, notes: [] };
      } finally {
        await withClient(bench.world, restoreUpdated);
      }
    },
  },
  {
    name: "duel-create",
    slow: true,
    title: "CreateAuthorization",
    async run(bench) {
      const { rows } = await withClient(bench.world, (client) => client.query<{ item: object }>(selectNew));
      const each = (post: Post): Post => {
        let count = 0;
        return { ...post, body: () => JSON.stringify(rows[count++ % rows.length]?.item) };
      };
      try {
        const ours = each(askOurs(bench, "largest", "CreateAuthorization", {}));
        const rival = each(askRival(bench, "largest", "create", {}));
        return { measurements: await duel(bench, ours, rival), numbers: {}, notes: [] };
      } finally {
        await withClient(bench.world, removeCreated);
      }
    },
  },
  {
    name: "duel-delete",
    slow: true,
    title: "DeleteAuthorization",
    async run(bench) {
      try {
        const ids = await createMany(bench);
        const each = (post: Post): Post => {
          let count = 0;
          return { ...post, body: () => JSON.stringify({ id: ids[count++] ?? runOut() }) };
        };
        const ours = each(askOurs(bench, "instance", "DeleteAuthorization", {}));
        const rival = each(askRival(bench, "instance", "delete", {}));
        return { measurements: await duel(bench, ours, rival), numbers: {}, notes: [] };
      } finally {
        await withClient(bench.world, removeCreated);
      }
    },
  },
  {
    name: "duel-check",
    title: "one check and a batch of 100, beside the own list of a plain user and a page of 100",
    async run(bench) {
      const list = askOurs(bench, "own", "ListAuthorizations", page);
      const { authorizations } = JSON.parse((await ask(list)).toString());
      const items = Array.from({ length: 100 }, (_, index) => {
        const { user, project, organization, roles } = authorizations[index % authorizations.length];
        const roleKeys = [...roles.map(({ key }: { key: string }) => key), "no role"];
        return { userId: user.id, projectId: project.id, organizationId: organization.id, roleKeys };
      });
      const check = (items: object[]): Post => ({
        ...list,
        url: `${bench.servers.ours.url}/service.authorization.v2.CheckService/CheckRoles`,
        body: Buffer.from(JSON.stringify({ items })),
      });
      const sides = [
        httpSide("own list", list, bench.servers.ours),
        httpSide("one check", check(items.slice(0, 1)), bench.servers.ours),
        httpSide("100 checks", check(items), bench.servers.ours),
        // No plain user has as many rows.
        httpSide("page of 100", askOurs(bench, "small", "ListAuthorizations", page), bench.servers.ours),
      ];
      // Not a duel, so the report doesn't show it among them.
      const measurements = await compare(bench, { load: "8 at once, ours alone", connections: 8, sides });
      return { measurements, numbers: { rows: authorizations.length }, notes: [] };
    },
  },
  {
    name: "duel-owners",
    slow: true,
    title: "page of 100, the instance owner beside the owner of the largest organization",
    async run(bench) {
      const side = (kind: CallerKind) =>
        httpSide(`ours, ${kind}`, askOurs(bench, kind, "ListAuthorizations", page), bench.servers.ours);
      const sides = [side("instance"), side("largest")];
      const measurements = await compare(bench, { load: latency, connections: 2, sides });
      const [instance, largest] = measurements;
      const ratio = (instance?.p50 ?? Number.NaN) / (largest?.p50 ?? Number.NaN);
      return { measurements, numbers: { "p50, instance owner ÷ organization owner": ratio }, notes: [] };
    },
  },
  {
    name: "duel-idle",
    slow: true,
    title: `first request after ${idleSeconds} s without any`,
    async run(bench) {
      const ours = askOurs(bench, "own", "ListAuthorizations", {});
      const rival = askRival(bench, "own", "list", {});
      const times = { ours: [] as number[], rival: [] as number[] };
      for (let round = 0; round < bench.options.rounds; round += 1) {
        await sleep(idleSeconds * 1_000);
        times.ours.push(await timeOf(ours));
        times.rival.push(await timeOf(rival));
      }
      const [first, second] = [median(times.ours), median(times.rival)];
      return {
        measurements: [],
        numbers: { "ms, ours": first, "ms, rival": second, "ours ÷ rival": first / second },
        notes: [],
      };
    },
  },
];

function duel(bench: Bench, ours: Post, rival: Post) {
  const sides = [httpSide("ours", ours, bench.servers.ours), httpSide("rival", rival, bench.servers.rival)];
  return compare(bench, { load: duelLoad, connections: 8, sides });
}

function runOut(): never {
  throw new Error("there is nothing left to delete: the world is too small for so many rounds");
}

/** How many the faster side can delete in a minute. */
const mostDeleted = 100_000;

/** Creates authorizations for both, each of which is deleted once by each. Returns their ids. */
async function createMany(bench: Bench): Promise<string[]> {
  const items = await withClient(bench.world, (client) => client.query(selectNewAnywhere, [mostDeleted]));
  for (let from = 0; from < items.rows.length; from += 1_000) {
    const body = JSON.stringify({ items: items.rows.slice(from, from + 1_000).map(({ item }) => item) });
    await ask({ ...askOurs(bench, "instance", "BatchCreateAuthorizations", {}), body: () => body });
  }
  const { rows } = await withClient(bench.world, (client) => client.query<{ id: string }>(copyCreated));
  return rows.map(({ id }) => id);
}

const copyCreated = `
  insert into rival.authorizations
    (id, user_id, project_id, organization_id, project_grant_id, state, creation_date, change_date, role_keys)
  select id, user_id, project_id, organization_id, nullif(project_grant_id, ''), state, creation_date, change_date,
    array(select role_key from authorization_roles r where r.authorization_id = a.id order by role_key)
  from authorizations a where creation_date >= '${worldEnd}'
  returning id`;

async function timeOf(post: Post): Promise<number> {
  const started = performance.now();
  await ask(post);
  return performance.now() - started;
}

// Users in places of the largest organization where they have nothing yet.
const selectNew = `
  select json_build_object(
    'userId', u.id, 'projectId', p.project_id, 'organizationId', o.id,
    'roleKeys', array['viewer', 'editor']) as item
  from bench.organizations o
  join bench.places p on p.organization = o.number and p.number < 8
  cross join (select id from users order by md5(id) limit 20000) u
  where o.number = 0 and not exists (
    select from authorizations a
    where a.user_id = u.id and a.project_id = p.project_id and a.organization_id = o.id)
  order by md5(u.id || p.project_id)`;
