import sql, { type Sql } from "sql-template-tag";
import type { Authorization, Instant, State } from "../../authorization/authorization.ts";
import type { ListQuery, Position, Sort } from "../../authorization/list.ts";
import { changeDateAt, isExpired, stateAt } from "../pool/expiry.ts";
import { primaryNow } from "../pool/primary-time.ts";
import {
  columnsOfNames,
  columnsOfUser,
  type NamesRow,
  toOrganization,
  toProject,
  toUser,
  type UserRow,
} from "../seen/named-entries.ts";
import { keyOf } from "./sources.ts";

/**
 * Selects the fields that a list shows of authorizations, with their position and their key. Each table is asked for one
 * row by its key. The limits tell Postgres so; otherwise it would search for the best order of joins, which takes longer
 * than the page.
 *
 * @param page selects the authorizations' ids, in order
 */
export function selectListed(page: Sql, { sort }: ListQuery): Sql {
  // Postgres expects few elements in an array, and looks up each of them. From a limit, it expects a tenth of the
  // table.
  return sql`
    select
      page.position, ${shownKey(sort)} as key,
      a.id, a.creation_date, ${changeDateAt(sql`a`, primaryNow)} as change_date, ${stateAt(sql`a`, primaryNow)} as state,
      a.expiration_date, ${isExpired(sql`a`, primaryNow)} as expired,
      ${columnsOfNames}, ${columnsOfUser},
      array_to_json(array(
        select array[r.key::text, r.display_name, r.group_name]
        from authorization_roles h
        cross join lateral (
          select * from project_roles where project_id = h.project_id and key = h.role_key limit 1) r
        where h.authorization_id = a.id
        order by h.role_key)) as roles
    from unnest(array(select id from (${page}) page)) with ordinality as page (id, position)
    cross join lateral (select * from authorizations where id = page.id limit 1) a
    cross join lateral (select * from projects where id = a.project_id limit 1) p
    cross join lateral (select * from organizations where id = a.organization_id limit 1) o
    cross join lateral (select * from users where id = a.user_id limit 1) u`;
}

/** What the row is sorted by, of what is shown. */
function shownKey(sort: Sort): Sql {
  if (sort.column === "projectName") return sql`fold_case(p.name)`;
  return sort.column === "organizationName" ? sql`fold_case(o.name)` : keyOf(sort);
}

type Row = NamesRow &
  UserRow & {
    key: Position["key"];
    id: string;
    creation_date: Instant;
    change_date: Instant;
    state: State;
    expiration_date: Instant | null;
    expired: boolean;
    /** Sorted by key. */
    roles: [key: string, displayName: string, group: string][];
  };

export const shown = {
  toItem: (row: Row): Authorization => ({
    id: row.id,
    creationDate: row.creation_date,
    changeDate: row.change_date,
    project: toProject(row),
    organization: toOrganization(row),
    user: toUser(row),
    state: row.state,
    expirationDate: row.expiration_date ?? undefined,
    expired: row.expired,
    roles: row.roles.map(([key, displayName, group]) => ({ key, displayName, group })),
  }),
  toPosition: ({ key, id }: Row): Position => ({ key, id }),
};
