import sql, { raw, type Sql } from "sql-template-tag";
import { idOfScope, rolesWith, type Scope } from "../../authorization/permissions.ts";

/**
 * The scopes of a caller, in parts that statements treat differently. Anyone who may give entries can give a caller
 * thousands of them, for example on empty projects. Statements that went through all of those would make every request of
 * that caller slow.
 */
export type ScopeParts = {
  /** Whether one of them is the instance. */
  readonly everything: boolean;
  readonly organizations: readonly string[];
  /** Projects and project grants that are in none of the organizations. */
  readonly single: readonly Scope[];
  /** Of those, the ones of which there are many in one organization: only how many there are, and where. */
  readonly crowd: Crowd | undefined;
};

export type Crowd = { readonly homes: readonly string[]; readonly size: number };

/** More scopes than this in one organization are a crowd. The results are the same for any number. */
const mostSingle = 16;

const known = new WeakMap<readonly Scope[], ScopeParts>();

/** The parts of the scopes where a caller holds `user.grant.read`. */
export function partsOf(scopes: readonly Scope[]): ScopeParts {
  const parts = known.get(scopes) ?? divide(scopes);
  known.set(scopes, parts);
  return parts;
}

function divide(scopes: readonly Scope[]): ScopeParts {
  const organizations = scopes.flatMap((scope) => (scope.kind === "organization" ? [scope.organizationId] : []));
  const covered = new Set(organizations);
  const byHome = new Map<string | undefined, Scope[]>();
  for (const scope of scopes) {
    if (scope.kind !== "project" && scope.kind !== "projectGrant") continue;
    if (scope.homeId !== undefined && covered.has(scope.homeId)) continue;
    const there = byHome.get(scope.homeId) ?? [];
    byHome.set(scope.homeId, there);
    there.push(scope);
  }
  const single: Scope[] = [];
  const homes: string[] = [];
  let size = 0;
  for (const [home, there] of byHome) {
    if (home === undefined || there.length <= mostSingle) single.push(...there);
    else {
      homes.push(home);
      size += there.length;
    }
  }
  return {
    everything: scopes.some(({ kind }) => kind === "instance"),
    organizations,
    single,
    crowd: homes.length === 0 ? undefined : { homes, size },
  };
}

/** The scope of an entry as one text, as the column `scope` of the table has it. */
export function textOfScope(scope: Scope): string {
  return `${numberOfKind[scope.kind]}${idOfScope(scope)}`;
}

const numberOfKind: Record<Scope["kind"], number> = { instance: 0, organization: 1, project: 2, projectGrant: 3 };

/**
 * Selects the ids of the projects or project grants in a crowd. For authorizations, only those that could have some: the
 * numbers say in which places any was ever stored (migrations/0005_numbers.sql). If there are far more of those than scopes,
 * all scopes are selected.
 */
export function idsOfCrowd(kind: "project" | "projectGrant", isCounted: boolean, userId: string, crowd: Crowd): Sql {
  const column = raw(kind === "project" ? "project_id" : "project_grant_id");
  if (!isCounted) return sql`select m.${column} from ${readableOfCrowd(userId, crowd)} and m.${column} is not null`;
  const most = sql`${2 * crowd.size}::bigint`;
  const found =
    kind === "project"
      ? sql`administrators m where m.scope = '2' || u.project_id and m.home_id = u.organization_id`
      : sql`project_grants g join administrators m on m.scope = '3' || g.id
          where (g.project_id, g.organization_id) = (u.project_id, u.organization_id)`;
  return sql`
        with used as materialized (
          select n.* from unnest(${crowd.homes}::text[]) as home cross join lateral (
            select distinct organization_id, project_id from numbers
            where kind = 'state' and organization_id = home and project_id <> ''
            limit ${most} + 1) n
          limit ${most} + 1)
        select m.${column}
        from used u cross join lateral (
          select m.${column} from ${found} and m.user_id = ${userId}::text and ${letsRead} offset 0) m
        where (select count(*) from used) <= ${most}
        union all
        select m.${column} from ${readableOfCrowd(userId, crowd)}
          and m.${column} is not null and (select count(*) from used) > ${most}`;
}

/** The entries `m` of a caller in the homes of its crowd that let it read. */
export function readableOfCrowd(userId: string, { homes }: Crowd): Sql {
  return sql`administrators m where m.user_id = ${userId}::text and m.home_id = any(${homes}::text[]) and ${letsRead}`;
}

/** True for an entry `m` that gives `user.grant.read`. All roles that do reach their whole scope. */
export const letsRead: Sql = sql`m.roles && ${rolesWith("user.grant.read")}::text[]`;
