import { gateOf, mostClosedGates, projectGates } from "../../change/project-gates.ts";
import { tokensFromDoomedUsers } from "../stage/doomed.ts";
import type { Stage } from "../stage/staging.ts";

/**
 * The first step of applying changes: locks the assignments, and what they depend on, that the changes concern, always in the
 * same order. Other changes of the directory wait already. These locks keep changes of assignments waiting. What is checked and
 * found afterwards stays true.
 *
 * Requests share the gate and the lock of a project before they touch its authorizations, so earlier requests have finished,
 * and later ones wait. A user who is removed or moves takes its authorizations along, so it shares those of their projects,
 * like a request.
 */
export async function lockAffected(stage: Stage): Promise<void> {
  const { placed, removed, has } = stage;
  const run = (text: string) => stage.query<{ count: number }>({ text, values: [] });
  const moves = placed.has("user") && (await run(`${movingUsers} limit 1`)).length > 0;
  const leaves = moves || has("doomed_users");
  const losing = ["doomed_projects", "doomed_project_grants", "lost_roles", "shrunk_authorizations"] as const;
  const named = placed.has("authorization") || removed.has("authorization");
  await Promise.all(
    [
      ...(leaves || losing.some(has) ? [lockGates, lockProjects] : []),
      ...(leaves ? [lockUsers] : []),
      ...(leaves || named ? [lockAuthorizations] : []),
    ].map(run),
  );
  if (!has("doomed_tokens")) return;
  for (let known = 0; ; ) {
    const [tokens] = await run(lockTokens);
    if (tokens === undefined || tokens.count === known) return;
    known = tokens.count;
  }
}

/** The projects that lose something. */
const lessenedProjects = `
      select id from doomed_projects
      union
      select project_id from doomed_project_grants
      union
      select project_id from lost_roles
      union
      select s.project_id
      from staged_project_grants s join project_grant_roles r on r.project_grant_id = s.id
      where not exists (
        select from staged_project_grant_roles k where k.project_grant_id = s.id and k.role_key = r.role_key)`;

/** Users whose organization changes. */
const movingUsers = `
      select u.id from staged_users s join users u on u.id = s.id and u.organization_id <> s.organization_id`;

/** The projects that lose something, and those in which users who leave have authorizations. */
const affectedProjects = `
      select id, true from (${lessenedProjects}) lessened
      union all
      select distinct a.project_id, false
      from (select id from doomed_users union all ${movingUsers}) leaving
      join authorizations a on a.user_id = leaving.id`;

/** The gates of the affected projects. Beyond the most, the order of arrival may not be kept. */
const lockGates = `
  with gates as (
    select ${gateOf("id")} as gate, bool_or(is_alone) as is_alone
    from (${affectedProjects}) affected (id, is_alone)
    group by gate
  ), chosen as (
    select gate, is_alone, row_number() over (partition by is_alone order by gate) as place from gates
  )
  select count(case
    when is_alone then pg_advisory_xact_lock(${projectGates}, gate)
    else pg_advisory_xact_lock_shared(${projectGates}, gate) end)
  from (select gate, is_alone from chosen where not is_alone or place <= ${mostClosedGates} order by gate) ordered`;

/** Locks rows in the order of their ids: some alone, and the others only against being removed. */
const lockProjects = `
  select count(*)
  from (
    select id, bool_or(is_alone) as is_alone from (${affectedProjects}) as named (id, is_alone)
    group by id order by id) asked
  left join lateral (select from projects t where asked.is_alone and t.id = asked.id for update) alone on true
  left join lateral (select from projects t where not asked.is_alone and t.id = asked.id for key share) shared on true`;

/** Users who are removed or move. */
const lockUsers = `
  select count(*)
  from (select id from doomed_users union ${movingUsers} order by id) asked
  cross join lateral (select from users u where u.id = asked.id for update) alone`;

const lockAuthorizations = `
  select count(*) from (
    select from authorizations
    where id in (
      select id from staged_authorizations
      union
      select id from staged_removals_of_authorizations
      union
      select id from authorizations where user_id in (select id from doomed_users)
      union
      select a.id from (${movingUsers}) moving join authorizations a on a.user_id = moving.id)
    order by id
    for update) locked`;

/**
 * Locks the tokens of removed users and the tokens made with them, and counts them. A token that is being created holds
 * the one it is made with, so each look can find more, until all are locked and no other can follow. Also keeps
 * the tokens above them from being revoked meanwhile, because tokens that stay are linked to those.
 */
const lockTokens = `
  select count(alone.id)::integer as count
  from (
    select id, bool_or(is_alone) as is_alone
    from (
      select id, true from (${tokensFromDoomedUsers}) tree
      union all
      select t.made_with, false from doomed_users d join tokens t on t.user_id = d.id
      where t.made_with is not null) as named (id, is_alone)
    group by id order by id) asked
  left join lateral (select t.id from tokens t where asked.is_alone and t.id = asked.id for update) alone on true
  left join lateral (select from tokens t where not asked.is_alone and t.id = asked.id for key share) shared on true`;
