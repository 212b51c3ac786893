import { withClient } from "../../test/support/with-client.ts";
import { askOurs, askRival, type Bench } from "../bench.ts";
import type { CallerKind } from "../callers.ts";
import type { Post } from "../load.ts";
import { removeCreated, restoreUpdated, saveForUpdate } from "./put-back.ts";

/** Throws unless both change the same, write one event each, and refuse the same. All of it is put back. */
export async function requireEqualChanges(bench: Bench): Promise<void> {
  const subject = await findSubject(bench);
  await withClient(bench.world, (client) => saveForUpdate(client, [subject.id]));
  try {
    for (const { what, kind, change, request, status } of changesOf(subject)) {
      const [ours, rival] = await Promise.all([
        answerOf(askOurs(bench, kind, `${change}Authorization`, request)),
        answerOf(askRival(bench, kind, change.toLowerCase() as Lowercase<typeof change>, request)),
      ]);
      if (ours.status !== status || rival.status !== status) {
        throw new Error(`${what}: ours answers ${ours.status}, the rival ${rival.status}, and it should be ${status}`);
      }
      const stored = await withClient(bench.world, (client) =>
        client.query(selectStored, [subject.id, subject.userId]),
      );
      const [first, second] = stored.rows.map((row) => JSON.stringify(row));
      if (first !== second) throw new Error(`${what}: ours has stored ${first}, the rival ${second}`);
    }
  } finally {
    await withClient(bench.world, restoreUpdated);
    await withClient(bench.world, removeCreated);
  }
}

type Subject = {
  /** An authorization of the largest organization. */
  readonly id: string;
  /** One that the viewer of fifty organizations sees. */
  readonly seen: string;
  /** A user without authorizations in the project of the largest organization. */
  readonly userId: string;
  readonly projectId: string;
  readonly organizationId: string;
};

function changesOf({ id, seen, userId, projectId, organizationId }: Subject) {
  const there = { userId, projectId, organizationId };
  const keys = ["approver", "viewer"];
  const update = (what: string, kind: CallerKind, request: object, status: number) =>
    ({ what, kind, change: "Update", request, status }) as const;
  const create = (what: string, kind: CallerKind, request: object, status: number) =>
    ({ what, kind, change: "Create", request, status }) as const;
  const remove = (what: string, kind: CallerKind, request: object, status: number) =>
    ({ what, kind, change: "Delete", request, status }) as const;
  return [
    update("an update", "largest", { id, roleKeys: keys }, 200),
    update("the same update again", "largest", { id, roleKeys: keys.toReversed() }, 200),
    update("an update to no roles", "largest", { id, roleKeys: [] }, 200),
    update("an update of nothing", "largest", { id: "nothing", roleKeys: keys }, 404),
    update("an update of what the caller does not see", "own", { id, roleKeys: keys }, 404),
    update("an update by a viewer", "fifty", { id: seen, roleKeys: keys }, 403),
    update("an update with a role that is none", "largest", { id, roleKeys: ["viewer", "nothing"] }, 400),
    create("a create", "largest", { ...there, roleKeys: keys }, 200),
    create("the same create again", "largest", { ...there, roleKeys: keys }, 409),
    create("a create by a plain user", "own", { ...there, roleKeys: keys }, 403),
    create("a create for nobody", "largest", { ...there, userId: "nothing", roleKeys: keys }, 400),
    create("a create in no project", "largest", { ...there, projectId: "nothing" }, 400),
    create("a create with a role that is none", "largest", { ...there, roleKeys: ["nothing"] }, 400),
    remove("a delete of what the caller does not see", "own", { id }, 404),
    remove("a delete by a viewer", "fifty", { id: seen }, 403),
  ];
}

async function answerOf({ url, headers, body }: Post): Promise<{ status: number }> {
  const response = await fetch(url, { method: "POST", headers, body: new Uint8Array(body as Buffer) });
  await response.arrayBuffer();
  return response;
}

async function findSubject(bench: Bench): Promise<Subject> {
  const { rows } = await withClient(bench.world, (client) =>
    client.query<Subject>(selectSubject, [bench.callers.fifty.userId]),
  );
  if (rows[0] === undefined) throw new Error("the world has nothing to change");
  return rows[0];
}

const selectSubject = `
  select
    (select id from authorizations where organization_id = o.id order by md5(id) limit 1) as id,
    (select a.id from authorizations a join administrators s on s.organization_id = a.organization_id
      where s.user_id = $1 order by md5(a.id) limit 1) as seen,
    (select id from users u where not exists (
      select from authorizations a where a.user_id = u.id and a.project_id = p.project_id
        and a.organization_id = o.id) order by md5(id) limit 1) as "userId",
    p.project_id as "projectId", o.id as "organizationId"
  from bench.organizations o join bench.places p on p.organization = o.number and p.number = 0
  where o.number = 0`;

// What one has stored in the first row, and the other in the second: keys and events, without ids and dates.
const selectStored = `
  select array(select role_key::text from authorization_roles where authorization_id = $1 order by 1) as keys,
    array(select type from events where authorization_id = $1 and time >= '2026-01-01' order by sequence) as events,
    array(select array(select role_key::text from authorization_roles where authorization_id = a.id order by 1)::text
      from authorizations a where user_id = $2 and creation_date >= '2026-01-01') as created,
    (select count(*) from events e join authorizations a on a.id = e.authorization_id
      where a.user_id = $2 and a.creation_date >= '2026-01-01') as created_events
  union all
  select role_keys,
    array(select type from rival.events where authorization_id = $1 order by sequence),
    array(select role_keys::text from rival.authorizations where user_id = $2 and creation_date >= '2026-01-01'),
    (select count(*) from rival.events e join rival.authorizations a on a.id = e.authorization_id
      where a.user_id = $2 and a.creation_date >= '2026-01-01')
  from rival.authorizations where id = $1`;
