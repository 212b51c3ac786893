import { currentAuthorizations, imageOf } from "./resources.ts";

/** The dates that an assignment gets because of the time of the request are left out. */
const shownOfResolved = {
  role_keys: "r.role_keys",
  creation_date: "nullif(r.creation_date, r.chosen_date)",
  change_date: "nullif(r.change_date, r.chosen_date)",
};

/**
 * The named assignments, like effects. One that is removed together with another thing counts as new.
 *
 * @param resolved selects some of them
 * @param removals selects some of those that are removed
 */
export const namedAuthorizations = (
  resolved = "resolved_authorizations",
  removals = "staged_removals_of_authorizations",
) => `
    select r.position, 'authorization' as kind, r.id, b.before,
      case when r.event is null then b.before else ${imageOf("authorization", "r", shownOfResolved)} end as after
    from ${resolved} r
    left join ${currentAuthorizations} a on a.id = r.id and r.event is distinct from 'user.grant.added'
    cross join lateral (select case when a.id is not null
      then ${imageOf("authorization", "a", { role_keys: "r.role_keys_before" })} end as before) b
    union all
    select s.position, 'authorization', a.id, ${imageOf("authorization", "a")}, null::jsonb
    from ${removals} s join ${currentAuthorizations} a on a.id = s.id`;
