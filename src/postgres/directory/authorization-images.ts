import { authorizationImage } from "./images.ts";
import type { StagingTable } from "./staging.ts";

/** The dates that an assignment gets because of the time of the request are left out. */
const datesOfResolved = {
  creation: "nullif(r.creation_date, r.chosen_date)",
  change: "nullif(r.change_date, r.chosen_date)",
};

const storedKeys = (a: string) =>
  `array(select h.role_key::text from authorization_roles h where h.authorization_id = ${a}.id order by h.role_key)`;

const removedAuthorizations = (removals: string) => `
    select s.position, 'authorization', a.id, ${authorizationImage("a", storedKeys("a"))}, null::jsonb
    from ${removals} s join authorizations a on s.kind = 'authorization' and a.id = s.id`;

/**
 * The named assignments, like effects. One that is removed together with another thing counts as new.
 *
 * @param resolved selects them from resolved_authorizations
 * @param removals selects them from staged_removals
 */
export const namedAuthorizations = (resolved: string, removals: string) => `
    select r.position, 'authorization' as kind, r.id, b.before,
      case when r.event is null then b.before else ${authorizationImage("r", "r.role_keys", datesOfResolved)} end as after
    from ${resolved} r
    left join authorizations a on a.id = r.id and r.event is distinct from 'user.grant.added'
    cross join lateral (select case when a.id is not null
      then ${authorizationImage("a", "r.role_keys_before")} end as before) b
    union all ${removedAuthorizations(removals)}`;

/** Selects about the same images before the changes are resolved: the dates may differ. */
export function imagesOfAuthorizations(tables: ReadonlySet<StagingTable>): string[] {
  const given = `
    select s.position, case when a.id is not null then ${authorizationImage("a", storedKeys("a"))} end as before,
      ${authorizationImage("s", "array(select k.role_key from staged_authorization_roles k where k.authorization_id = s.id)")} as after
    from staged_authorizations s left join authorizations a on a.id = s.id`;
  const removed = `
    select position, before, after from (${removedAuthorizations("staged_removals")})
      as named (position, kind, id, before, after)`;
  return [...(tables.has("staged_authorizations") ? [given] : []), ...(tables.has("staged_removals") ? [removed] : [])];
}
