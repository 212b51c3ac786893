import type { Change, PlacedChange } from "../../directory/change.ts";
import { isEntry } from "./after.ts";
import { imagesOfAuthorizations } from "./authorization-images.ts";
import type { Check } from "./change-checks.ts";
import { columnsOfEffect, selectEffects } from "./effects.ts";
import type { StagingTable } from "./staging.ts";

/** Limits of what a request may do. Files that are imported have none. */
export function limitChecks(tables: ReadonlySet<StagingTable>, mayBeLarge: boolean): Check[] {
  return [...(tables.has("staged_administrators") ? [entriesOfUser] : []), ...(mayBeLarge ? [outcomes(tables)] : [])];
}

/**
 * How many administrator entries a user may have. Servers keep up to 200,000 entries of all callers together
 * (src/postgres/caller/kept-entries.ts). A caller with more than that would be read with each of its requests.
 */
const mostEntries = 20_000;

/** Counts the entries that are stored, also those that the request removes, and those it adds. */
export const entriesOfUser: Check = {
  reason: "TOO_MANY_ENTRIES",
  sql: `
    select min(s.position) as position,
      'user "' || s.user_id || '" would have more than ${mostEntries} administrator entries' as what,
      jsonb_build_object('maximum', '${mostEntries}') as metadata
    from staged_administrators s
    left join lateral (
      select true as is_stored from administrators a where ${isEntry("a", "s")} limit 1) known on true
    where cardinality(s.roles) > 0 and is_stored is null
    group by s.user_id
    having count(*) + (select count(*) from administrators a where a.user_id = s.user_id) > ${mostEntries}`,
};

/**
 * How many bytes the things of an answer may take as JSON, before and after the changes. A server needs several times as
 * much memory while it answers. One change never reaches the limit: the largest things have 1,000 role keys of at most
 * 1.2 kB as JSON, so it has at most 2.5 MB.
 */
const mostBytes = 8 * 1_024 * 1_024;

/** Two images of a thing without role keys have at most 14 kB: of a user, with six bytes for each character of its texts. */
const mostSmall = Math.floor(mostBytes / 14_000);

/** Whether the outcomes could be too large. Measuring them costs about as much as finding them. */
export function mayBeTooLarge(changes: readonly PlacedChange[]): boolean {
  return changes.length > mostSmall || (changes.length > 1 && changes.some(({ change }) => hasRoleKeys(change)));
}

function hasRoleKeys(change: Change): boolean {
  const { kind } = change.kind === "removal" ? change.thing : change;
  return kind === "projectGrant" || kind === "authorization";
}

function outcomes(tables: ReadonlySet<StagingTable>): Check {
  const ofThings = selectEffects(tables).map(
    (effects) => `select position, before, after from (${effects}) as effects (${columnsOfEffect})`,
  );
  const size = (image: string) => `coalesce(octet_length(${image}::text), 0)`;
  return {
    reason: "OUTCOMES_TOO_LARGE",
    sql: `
    select position,
      'the outcomes up to this change would be larger than ${mostBytes} bytes; send fewer changes in a request' as what
    from (
      select position, sum(${size("before")} + ${size("after")}) over (order by position) as bytes
      from (${[...ofThings, ...imagesOfAuthorizations(tables)].join(" union all ")}) images
      where position is not null) sizes
    where bytes > ${mostBytes}`,
  };
}
