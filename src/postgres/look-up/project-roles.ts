import sql, { type Sql } from "sql-template-tag";
import { type FoundProject, mostRoles } from "../../directory/look-ups.ts";

/** Selects the number of roles `r`, and the first of them by key. */
export function rolesOf(condition: Sql): Sql {
  return sql`
        select count(*)::integer as "totalRoles",
          coalesce(json_agg(json_build_array(key, display_name, group_name, description) order by key)
            filter (where nth <= ${mostRoles}::integer), '[]') as roles
        from (
          select r.key, r.display_name, r.group_name, r.description, row_number() over (order by r.key) as nth
          from project_roles r
          where ${condition}) counted`;
}

export type RoleRow = {
  totalRoles: number;
  roles: [key: string, displayName: string, group: string, description: string][];
};

export function toRoles({ roles }: RoleRow): FoundProject["roles"] {
  return roles.map(([key, displayName, group, description]) => ({ key, displayName, group, description }));
}
