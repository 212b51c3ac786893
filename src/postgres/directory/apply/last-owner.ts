import type { Check } from "./change-checks.ts";

/** Whether a stored or staged row is an entry on the instance. */
const isOnInstance = (entry: string) =>
  `num_nonnulls(${entry}.organization_id, ${entry}.project_id, ${entry}.project_grant_id) = 0`;

/** Whether a stored or staged row makes its user an IAM_OWNER. */
export const isOwner = (entry: string) => `(${isOnInstance(entry)} and 'IAM_OWNER' = any(${entry}.roles))`;

/**
 * Finds the last change that removes an IAM_OWNER, if all changes together leave none. Run it before anything is removed.
 *
 * It needs no lock of its own, because every directory change holds the lock of the directory until its end. Entries are looked up
 * one by one. Only if an IAM_OWNER is removed are all entries searched for another one.
 */
export const lastOwner: Check = {
  reason: "LAST_OWNER",
  sql: `
    with leaving as materialized (
      select named.user_id, named.position
      from (
        select s.user_id, s.position from staged_administrators s where ${isOnInstance("s")} and not ${isOwner("s")}
        union all
        select s.user_id, s.position from staged_removals_of_administrators s where s.scope = '0'
        union all
        select id, null from doomed_users) named
      cross join lateral (
        select from administrators a where a.user_id = named.user_id and ${isOwner("a")} limit 1) owner
    )
    select max(coalesce(l.position, greatest(d.position, o.position))) as position,
      'this would leave the instance without an IAM_OWNER: give another user that role first, or in the same request' as what
    from leaving l
    left join users u on u.id = l.user_id
    left join doomed_users d on d.id = u.id
    left join doomed_organizations o on o.id = u.organization_id
    having case when count(*) > 0 then
      not exists (select from staged_administrators s where ${isOwner("s")})
      and not exists (
        select from administrators a where ${isOwner("a")} and a.user_id not in (select user_id from leaving))
    end`,
};
