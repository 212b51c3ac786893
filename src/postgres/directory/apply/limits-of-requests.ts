import { joinAfter } from "../stage/after.ts";
import { namedAuthorizations } from "../stage/authorization-images.ts";
import { isSame } from "../stage/resources.ts";
import type { Check } from "./change-checks.ts";

/** How many administrator entries a user may have. Each request of the user reads all of them. */
const mostEntries = 1_000;

/** How many of them may be in one organization, by their home (migrations/0002_callers.sql), so none fills another's. */
const mostInHome = 200;

/**
 * Counts the entries that are stored, also those that the changes remove, and those they add. An entry that moves with its
 * scope is added to its new home.
 */
export const entriesOfUser: Check = {
  reason: "TOO_MANY_ENTRIES",
  sql: `
    with added as materialized (
      select s.position, s.user_id, coalesce(s.organization_id, new_p.organization_id, p.organization_id,
        new_g.organization_id, g.organization_id) as home_id, is_stored, stored_home_id
      from staged_administrators s
      left join lateral (
        select true as is_stored, a.home_id as stored_home_id
        from administrators a where ${isSame("administrator", "a", "s")} limit 1) known on true
      ${joinAfter("project", "p", "s.project_id")}
      ${joinAfter("projectGrant", "g", "s.project_grant_id")}
      where cardinality(s.roles) > 0
    ), counted as (
      select min(position) as position, user_id, '' as place, ${mostEntries} as most,
        count(*) + (select count(*) from administrators a where a.user_id = added.user_id) as number
      from added where is_stored is null group by user_id
      union all
      select min(position), user_id, ' in the organization "' || home_id || '"', ${mostInHome},
        count(*) + (
          select count(*) from administrators a where (a.home_id, a.user_id) = (added.home_id, added.user_id))
      from added where home_id is not null and home_id is distinct from stored_home_id group by user_id, home_id
    )
    select position, 'user "' || user_id || '" would have more than ' || most || ' administrator entries' || place as what,
      jsonb_build_object('maximum', most::text) as metadata
    from counted where number > most`,
};

/**
 * How many bytes the things of an answer may take as JSON, before and after the changes. A server needs several times as
 * much memory while it answers. One change never reaches the limit: the largest things have 1,000 role keys of at most
 * 1.2 kB as JSON, so it has at most 2.5 MB.
 */
const mostBytes = 8 * 1_024 * 1_024;

const size = (image: string) => `coalesce(octet_length(${image}::text), 0)`;

export const outcomesTooLarge: Check = {
  reason: "OUTCOMES_TOO_LARGE",
  sql: `
    select position,
      'the outcomes up to this change would be larger than ${mostBytes} bytes; send fewer changes in a request' as what
    from (
      select position, sum(${size("before")} + ${size("after")}) over (order by position) as bytes
      from (
        select position, kind, id, before, after from effects where position is not null
        union all ${namedAuthorizations()}) images) sizes
    where bytes > ${mostBytes}`,
};
