import sql, { raw, type Sql } from "sql-template-tag";
import { thingKinds } from "../../../directory/history.ts";
import type { Difference, Preview } from "../../../directory/preview.ts";
import type { Connection } from "../../pool/database.ts";
import { firstRow } from "../../pool/first-row.ts";
import { countAuthorizations } from "../apply/affected-authorizations.ts";
import { namedAuthorizations } from "../stage/authorization-images.ts";

/** Reads a preview of the staged changes from what was found about them. */
export async function previewOf(connection: Connection, most: number): Promise<Omit<Preview, "changes">> {
  const counts = firstRow(await connection.query<Pick<Preview, "added" | "changed" | "removed">>(countDifferences));
  const things = await connection.query<DifferenceRow>(selectThings(most));
  const authorizations = await connection.query<DifferenceRow>(selectAuthorizations(most - things.length));
  return {
    differences: [...things, ...authorizations].map(({ kind, position, before, after }) => {
      return { kind, follows: position === null, before: before ?? undefined, after: after ?? undefined };
    }),
    ...counts,
    authorizations: await countAuthorizations(connection, sql`true`, Number.MAX_SAFE_INTEGER),
  };
}

type DifferenceRow = {
  kind: Difference["kind"];
  position: string | null;
  before: Difference["before"] | null;
  after: Difference["after"] | null;
};

/** A role is sorted by its project first. Something that is removed and added again comes twice, in this order. */
const selectThings = (most: number): Sql => sql`
  select kind, position, before, after from effects
  where before is distinct from after
  order by array_position(${thingKinds}::text[], kind), case when kind = 'projectRole' then within end, id, within,
    after is not null
  limit ${most}`;

/** Makes only the images that are shown. */
const selectAuthorizations = (most: number): Sql => sql`
  select kind, position, before, after from (${raw(
    namedAuthorizations(
      `(select * from resolved_authorizations where event is not null order by id limit ${most})`,
      `(select r.* from staged_removals_of_authorizations r join authorizations a on a.id = r.id
        order by r.id limit ${most})`,
    ),
  )}) named
  order by id
  limit ${most}`;

const countDifferences = sql`
  select count(*) filter (where effect = 'added')::float8 as added,
    count(*) filter (where effect = 'changed')::float8 as changed,
    count(*) filter (where effect = 'removed')::float8 as removed
  from (
    select case when before is null then 'added' when after is null then 'removed' else 'changed' end as effect
    from effects where before is distinct from after
    union all
    select case event when 'user.grant.added' then 'added' else 'changed' end
    from resolved_authorizations where event is not null
    union all
    select 'removed'
    from staged_removals_of_authorizations r join authorizations a on a.id = r.id) differences`;
