import type { Reason } from "../../../authorization/refusal.ts";
import { isSameCombination } from "../../pool/same-combination.ts";
import { afterwards, grantOfPlace, isThere, joinAfter, joinGrantOfPlace } from "../stage/after.ts";
import { type Reference, type ResourceKind, references, referencesOf, resourceOf } from "../stage/resources.ts";

/** A query that finds staged changes that can't be applied: their position, and a text that says what is wrong. */
export type Check = { readonly reason: Reason; readonly sql: string };

/** Finds resources that are named twice, whether to add or to remove them. */
export function duplicates(kind: ResourceKind): Check {
  const { table, label, key } = resourceOf(kind);
  return {
    reason: "DUPLICATE_CHANGE",
    sql: `
    select max(position) as position, ${names[kind] ?? `'${label} "' || id || '"'`} || ' is named more than once' as what,
      jsonb_build_object('firstIndex', min(position)::text) as metadata
    from (
      select position, ${key} from staged_${table}
      union all
      select position, ${key} from staged_removals_of_${table}) named
    group by ${key}
    having count(*) > 1`,
  };
}

/** Whether what will be there of a kind fits together. These need the checks before them to have found nothing. */
export function checksOf(kind: ResourceKind): Check[] {
  return [
    ...referencesOf(kind).map((column) => missing(kind, column)),
    ...(resourceOf(kind).immutable.length > 0 ? [moved(kind)] : []),
    ...(otherChecks[kind] ?? []),
  ];
}

/** What resources without an id are called. */
const names: { readonly [kind in ResourceKind]?: string } = {
  projectRole: `'role "' || key || '" of project "' || project_id || '"'`,
  administrator: `'the administrator entry of user "' || user_id || '"'`,
};

function missing(kind: ResourceKind, column: Reference): Check {
  const target = references[column];
  return {
    reason: "REFERENCE_NOT_FOUND",
    sql: `
    select s.position, '${resourceOf(target).label} "' || s.${column} || '" does not exist' as what
    from staged_${resourceOf(kind).table} s ${joinAfter(target, "t", `s.${column}`)}
    where s.${column} is not null and not ${isThere("t")}`,
  };
}

/** Finds resources whose immutable columns would change. */
function moved(kind: ResourceKind): Check {
  const { table, label, fields, immutable } = resourceOf(kind);
  const changes = Object.entries(fields).flatMap(([field, column]) =>
    immutable.includes(column)
      ? [`case when s.${column} <> a.${column} then '${field} is "' || a.${column} || '"' end`]
      : [],
  );
  return {
    reason: "IMMUTABLE_FIELD",
    sql: `
    select s.position, '${label} "' || s.id || '" cannot be moved: ' || concat_ws(', ', ${changes.join(", ")}) as what
    from staged_${table} s join ${table} a on a.id = s.id left join doomed_${table} d on d.id = a.id
    where d.id is null and (${immutable.map((column) => `s.${column} <> a.${column}`).join(" or ")})`,
  };
}

/** Runs once more when assignments are put in place, because others may have been created in the meantime. */
export const authorizationExists: Check = {
  reason: "AUTHORIZATION_EXISTS",
  sql: `
    select s.position, 'user "' || s.user_id || '" has the authorization "' || twin.id || '" for project "'
      || s.project_id || '" in organization "' || s.organization_id || '" already' as what,
      jsonb_build_object('id', twin.id) as metadata
    from staged_authorizations s
    left join staged_authorizations n on n.user_id = s.user_id and n.project_id = s.project_id
      and n.organization_id = s.organization_id and n.id <> s.id
    left join authorizations a on ${isSameCombination("a", "s")} and a.id <> s.id
    left join doomed_authorizations d on d.id = a.id
    cross join lateral (select coalesce(case when d.id is null then a.id end, n.id) as id) twin
    where twin.id is not null`,
};

const otherChecks: { readonly [kind in ResourceKind]?: readonly Check[] } = {
  projectGrant: [
    {
      reason: "GRANT_TO_OWNER",
      sql: `
        select s.position, 'organization "' || s.organization_id || '" owns project "' || s.project_id || '"' as what
        from staged_project_grants s ${joinAfter("project", "p", "s.project_id")}
        where ${afterwards("p", "organization_id")} = s.organization_id`,
    },
    {
      reason: "GRANT_EXISTS",
      sql: `
        select s.position, 'project "' || s.project_id || '" is granted to organization "' || s.organization_id
          || '" by "' || coalesce(n.id, g.id) || '" already' as what
        from staged_project_grants s
        left join staged_project_grants n
          on n.project_id = s.project_id and n.organization_id = s.organization_id and n.id <> s.id
        left join project_grants g
          on g.project_id = s.project_id and g.organization_id = s.organization_id and g.id <> s.id
        left join doomed_project_grants d on d.id = g.id
        where n.id is not null or (g.id is not null and d.id is null)`,
    },
    {
      reason: "ROLE_NOT_FOUND",
      sql: `
        select k.position, 'project "' || s.project_id || '" has no role "' || k.role_key || '"' as what
        from staged_project_grant_roles k
        join staged_project_grants s on s.id = k.project_grant_id
        ${joinAfter("projectRole", "r", "s.project_id", "k.role_key")}
        where not ${isThere("r", "key")}`,
    },
  ],
  authorization: [
    {
      reason: "REFERENCE_NOT_FOUND",
      sql: `
        select s.position, 'project "' || s.project_id || '" is neither owned by nor granted to organization "'
          || s.organization_id || '"' as what
        from staged_authorizations s ${joinAfter("project", "p", "s.project_id")} ${joinGrantOfPlace}
        where ${afterwards("p", "organization_id")} <> s.organization_id and ${grantOfPlace} is null`,
    },
    authorizationExists,
    {
      reason: "EXPIRATION_NOT_REACHED",
      sql: `
        select s.position, 'authorization "' || s.id || '" can only be expired if it is inactive and its end has passed' as what
        from staged_authorizations s left join authorizations a on a.id = s.id
        left join doomed_authorizations d on d.id = a.id
        where s.expired and (s.state = 'inactive' and statement_timestamp()
          >= coalesce(s.expiration_date, case when d.id is null then a.expiration_date end)) is not true`,
    },
    {
      reason: "ROLE_NOT_FOUND",
      sql: `
        select k.position, 'the role "' || k.role_key || '" cannot be assigned for project "' || s.project_id
          || '" in organization "' || s.organization_id || '"' as what
        from staged_authorization_roles k
        join staged_authorizations s on s.id = k.authorization_id
        ${joinGrantOfPlace} ${joinAfter("projectRole", "r", "s.project_id", "k.role_key")}
        left join staged_project_grant_roles new_m on new_m.project_grant_id = new_g.id and new_m.role_key = k.role_key
        left join project_grant_roles m on m.project_grant_id = g.id and m.role_key = k.role_key
        where not case
          when new_g.id is not null then new_m.role_key is not null
          when g.id is not null and doomed_g.id is null then m.role_key is not null and doomed_r.key is null
          else ${isThere("r", "key")} end`,
    },
  ],
};
