import sql, { raw, type Sql } from "sql-template-tag";
import type { FilterValues, SimpleFilter, TextFilterKind, TextMatch } from "../../authorization/list.ts";
import { isWithin, textMatches } from "../page/comparisons.ts";
import { changeDateAt, dateOfEnd, isDue, isInactive, isInForce } from "../pool/expiry.ts";
import { primaryNow } from "../pool/primary-time.ts";

/**
 * How a filter is applied to an authorization `a`: to a column, which may be null, or to rows that belong to it, at
 * least one of which must match. With both, an index finds the rows.
 */
type Condition =
  | { readonly column: Sql; readonly rows?: undefined }
  | { readonly column?: undefined; readonly rows: Rows }
  | { readonly column: Sql; readonly rows: Rows };

export type Rows = {
  /** A table, with a condition for the rows that belong to the authorization. */
  readonly of: Sql;
  readonly where: Sql;
  /** Whether exactly one row belongs to each authorization. */
  readonly one?: boolean;
  /** The complete condition, for checking single authorizations. */
  readonly atHand?: Sql;
};

export function conditionOf(filter: SimpleFilter): Condition {
  // The compiler can't know that a filter and the entry of its kind belong together.
  return (kinds[filter.kind] as (value: SimpleFilter) => Condition)(filter);
}

const kinds: { readonly [Kind in keyof FilterValues]: (value: FilterValues[Kind]) => Condition } = {
  authorizationIds: ({ ids }) => ({ column: sql`a.id = any(${ids}::text[])` }),
  inUserIds: ({ ids }) => ({ column: sql`a.user_id = any(${ids}::text[])` }),
  projectIds: ({ ids }) => ({ column: sql`a.project_id = any(${ids}::text[])` }),
  userId: ({ id }) => ({ column: sql`a.user_id = ${id}::text` }),
  organizationId: ({ id }) => ({ column: sql`a.organization_id = ${id}::text` }),
  userOrganizationId: ({ id }) => ({ column: sql`a.user_organization_id = ${id}::text` }),
  projectId: ({ id }) => ({ column: sql`a.project_id = ${id}::text` }),
  // Only the column of grants has an index.
  projectGrantId: ({ id }) => ({ column: id === "" ? sql`a.project_grant_id = ''` : sql`a.granted_by = ${id}::text` }),
  state: ({ state }) => ({ column: (state === "active" ? isInForce : isInactive)(sql`a`, primaryNow) }),
  created: ({ range }) => ({ column: isWithin(sql`a.creation_date`, range) }),
  changed: ({ range }) => {
    const column = isWithin(changeDateAt(sql`a`, primaryNow), range);
    return { column, rows: { of: datesOfChange, where: sql`${isWithin(sql`c.change_date`, range)} and ${column}` } };
  },
  expires: ({ range }) => ({ column: isWithin(sql`a.expiration_date`, range) }),
  userPreferredLoginName: ({ match }) => nameMatches("userPreferredLoginName", sql`a.user_id`, match),
  userDisplayName: ({ match }) => nameMatches("userDisplayName", sql`a.user_id`, match),
  projectName: ({ match }) => nameMatches("projectName", sql`a.project_id`, match),
  organizationName: ({ match }) => nameMatches("organizationName", sql`a.organization_id`, match),
  roleKey: ({ match }) => ({ rows: { of: heldRoles, where: textMatches(sql`r.key`, match) } }),
  roleKeys: ({ keys }) => ({
    rows: {
      of: heldRoles,
      where: isAnyKey(keys),
      atHand: sql`authorization_roles h where h.authorization_id = a.id and h.role_key = any(${keys}::text[])`,
    },
  }),
};

/** The table and the column that each text filter searches. */
export const searched: { readonly [Kind in TextFilterKind]: readonly [table: string, column: string] } = {
  userPreferredLoginName: ["users", "preferred_login_name"],
  userDisplayName: ["users", "display_name"],
  projectName: ["projects", "name"],
  organizationName: ["organizations", "name"],
  roleKey: ["project_roles", "key"],
};

function nameMatches(kind: TextFilterKind, id: Sql, match: TextMatch): Condition {
  const [table, column] = searched[kind];
  return {
    rows: {
      of: sql`${raw(table)} t where t.id = ${id}`,
      where: textMatches(sql`t.${raw(column)}`, match),
      one: true,
    },
  };
}

/** The stored change dates, and those of ends that have passed. Of these, the stored one can be there, too. */
const datesOfChange = sql`(
        select id, change_date::timestamptz from authorization_change_dates
        union all
        select d.id, ${dateOfEnd(sql`d`)} from authorizations d where ${isDue(sql`d`, primaryNow)}) c
        where c.id = a.id`;

const heldRoles = sql`project_roles r join authorization_roles h on h.project_id = r.project_id and h.role_key = r.key
        where h.authorization_id = a.id`;

/**
 * Compares the folded form, which has an index. All keys are folded as one text, so Postgres plans with their values.
 */
function isAnyKey(keys: readonly string[]): Sql {
  const quoted = keys.map((key) => `"${key.replace(/["\\]/g, "\\$&")}"`);
  return sql`fold_case(r.key) = any(fold_case(${`{${quoted.join(",")}}`}::text)::text[])
        and r.key = any(${keys}::text[])`;
}
