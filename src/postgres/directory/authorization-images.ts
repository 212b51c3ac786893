import { imageOf, stagedKeys, storedKeys } from "./resources.ts";

const stored = (row: string) => imageOf("authorization", row, { role_keys: storedKeys("authorization", row) });

const removedAuthorizations = (removals: string) => `
    select s.position, 'authorization', a.id, ${stored("a")}, null::jsonb
    from ${removals} s join authorizations a on s.kind = 'authorization' and a.id = s.id`;

/** The dates that an assignment gets because of the time of the request are left out. */
const datesOfResolved = {
  creation_date: "nullif(r.creation_date, r.chosen_date)",
  change_date: "nullif(r.change_date, r.chosen_date)",
};

/**
 * The named assignments, like effects. One that is removed together with another thing counts as new.
 *
 * @param resolved selects them from resolved_authorizations
 * @param removals selects them from staged_removals
 */
export const namedAuthorizations = (resolved: string, removals: string) => `
    select r.position, 'authorization' as kind, r.id, b.before,
      case when r.event is null then b.before else ${imageOf("authorization", "r", datesOfResolved)} end as after
    from ${resolved} r
    left join authorizations a on a.id = r.id and r.event is distinct from 'user.grant.added'
    cross join lateral (select case when a.id is not null
      then ${imageOf("authorization", "a", { role_keys: "r.role_keys_before" })} end as before) b
    union all ${removedAuthorizations(removals)}`;

/** Selects about the same images before the changes are resolved: the dates may differ. */
export const givenAuthorizations = `
    select s.position, 'authorization', s.id, case when a.id is not null then ${stored("a")} end as before,
      ${imageOf("authorization", "s", { role_keys: stagedKeys("s") })} as after
    from staged_authorizations s left join authorizations a on a.id = s.id
    union all ${removedAuthorizations("staged_removals")}`;
