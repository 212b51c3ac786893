import sql, { raw, type Sql } from "sql-template-tag";
import type { Actor } from "../../../authorization/actor.ts";
import { acting } from "../../pool/acting.ts";
import { nextDate } from "../../pool/next-date.ts";
import { isSame, resourceKinds, resources, storedKeys } from "../stage/resources.ts";
import type { Stage } from "../stage/staging.ts";

/**
 * Removals and what follows from them (docs/reference/directory.md). All statements work on sets: removing a role from
 * 100,000 authorizations takes only a few of them. Each leaves what later ones need to find what is doomed (doomed.ts).
 */

/**
 * First: removes authorizations, and appends their events. A named one gets the plain event, even if it would be removed
 * anyway. One that is added again gets only the event of that.
 */
export const removeAuthorizations = (actor: Actor, moment: Sql): Sql => sql`
  with moment (now) as (select ${moment}), removed as (
    delete from authorizations a using doomed_authorizations d where a.id = d.id
    returning a.*, d.position is not null as is_named
  ), undated as (
    delete from authorization_change_dates c using removed r where c.id = r.id
  )
  insert into events (
    authorization_id, type, time, actor_id, request_id, reason, user_id, project_id, organization_id, project_grant_id, role_keys,
    role_keys_before, state_before, creation_date_before, expiration_date_before)
  select
    id, case when is_named then 'user.grant.removed' else 'user.grant.cascade.removed' end,
    ${raw(nextDate("(select now from moment)", "change_date"))}, ${acting(actor)},
    user_id, project_id, organization_id, project_grant_id, '{}',
    ${raw(storedKeys("authorization", "r"))}, state, creation_date, expiration_date
  from removed r
  where not exists (select from staged_authorizations s where s.id = r.id)`;

/**
 * Takes the roles from authorizations that lose them, and changes those that no change names. All of it reads the roles from
 * before the statement.
 */
export const takeRoles = (actor: Actor, moment: Sql): Sql => sql`
  with moment (now) as (select ${moment}), taken as (
    delete from authorization_roles h using shrunk_authorizations l
    where h.authorization_id = l.id and h.role_key = l.role_key
    returning h.authorization_id, h.role_key::text
  ), lost as (
    select authorization_id as id, array_agg(role_key) as role_keys
    from taken
    where authorization_id not in (select id from staged_authorizations)
    group by authorization_id
  ), changed as (
    update authorizations a
    set change_date = ${raw(nextDate("(select now from moment)", "a.change_date"))}
    from lost
    where a.id = lost.id
    returning a.*, lost.role_keys as lost_keys
  ), dated as (
    update authorization_change_dates c set change_date = a.change_date from changed a where c.id = a.id
  )
  insert into events (
    authorization_id, type, time, actor_id, request_id, reason, user_id, project_id, organization_id, project_grant_id, role_keys, state,
    creation_date, role_keys_before, state_before, creation_date_before, expiration_date, expiration_date_before)
  select
    a.id, 'user.grant.cascade.changed', a.change_date, ${acting(actor)}, a.user_id, a.project_id,
    a.organization_id, a.project_grant_id,
    ${raw(storedKeys("authorization", "a", "k.role_key <> all (a.lost_keys)"))}, a.state,
    a.creation_date, ${raw(storedKeys("authorization", "a"))}, a.state, a.creation_date, a.expiration_date, a.expiration_date
  from changed a`;

/**
 * Removes tokens. Links those that stay to the closest token above them that stays, if there is one, so that revoking that one
 * still revokes them. If a token goes, Postgres removes everything that is linked to it then.
 */
const removeTokens = `
  with recursive kept (id, made_with) as (
    select t.id, d.made_with
    from doomed_tokens join tokens d on d.id = doomed_tokens.id join tokens t on t.made_with = d.id
    where t.id not in (select id from doomed_tokens)
    union all
    select k.id, d.made_with
    from kept k join doomed_tokens on doomed_tokens.id = k.made_with join tokens d on d.id = k.made_with
  ), linked as (
    update tokens t set made_with = k.made_with
    from kept k
    where t.id = k.id and not exists (select from doomed_tokens d where d.id = k.made_with)
  )
  delete from tokens where id in (select id from doomed_tokens)`;

/** Last: what removes the resources themselves, starting with those that refer to others. */
export function removeFound({ has }: Stage): string[] {
  const kinds = resourceKinds.filter((kind) => kind !== "authorization").toReversed();
  return [
    ...(has("doomed_tokens") ? [removeTokens] : []),
    ...(has("lost_roles") ? [removeGrantKeys] : []),
    ...kinds.flatMap((kind) => {
      const { table } = resources[kind];
      const gone = `doomed_${table}` as const;
      return has(gone) ? [`delete from ${table} x using ${gone} d where ${isSame(kind, "x", "d")}`] : [];
    }),
  ];
}

const removeGrantKeys = `
  delete from project_grant_roles k using lost_roles l where k.project_id = l.project_id and k.role_key = l.role_key`;
