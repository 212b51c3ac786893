import { imageOfToken } from "../../token/token-events.ts";
import { afterwards, joinAfter } from "./after.ts";
import type { Doomed } from "./doomed.ts";
import {
  imageOf,
  isSame,
  type ResourceKind,
  resourceKinds,
  resourceOf,
  resources,
  stagedKeys,
  storedKeys,
} from "./resources.ts";

/** The resources whose changes have events of the directory. */
type Kind = Exclude<ResourceKind, "authorization">;

/** How an event names a row `x`, and the user and the places it belongs to. */
type Description = { readonly id: string; readonly within?: string } & { readonly [column in PlaceColumn]?: string };

const placeColumns = ["user_id", "organization_id", "other_organization_id", "project_id", "project_grant_id"] as const;
type PlaceColumn = (typeof placeColumns)[number];

/** What the description of a row needs from others. */
type Around = {
  /** The organization that owns the project of the row, and the one that its project grant is for. */
  readonly owner: string;
  readonly granted: string;
  /** The organization it was in before. */
  readonly formerly: string;
};

const describe: Readonly<Record<Kind, (x: string, around: Around) => Description>> = {
  organization: (x) => ({ id: `${x}.id`, organization_id: `${x}.id` }),
  user: (x, { formerly }) => ({
    id: `${x}.id`,
    user_id: `${x}.id`,
    organization_id: `${x}.organization_id`,
    other_organization_id: `nullif(${formerly}, ${x}.organization_id)`,
  }),
  project: (x) => ({ id: `${x}.id`, organization_id: `${x}.organization_id`, project_id: `${x}.id` }),
  projectRole: (x, { owner }) => ({
    id: `${x}.key`,
    within: `${x}.project_id`,
    organization_id: owner,
    project_id: `${x}.project_id`,
  }),
  projectGrant: (x, { owner }) => ({
    id: `${x}.id`,
    organization_id: `${x}.organization_id`,
    other_organization_id: owner,
    project_id: `${x}.project_id`,
    project_grant_id: `${x}.id`,
  }),
  administrator: (x, { owner, granted }) => ({
    id: `${x}.user_id`,
    within: `('{instance,organization,project,projectGrant}'::text[])[left(${x}.scope, 1)::integer + 1]
      || ':' || substr(${x}.scope, 2)`,
    user_id: `${x}.user_id`,
    organization_id: `coalesce(${x}.organization_id, ${owner}, ${granted})`,
    project_id: `${x}.project_id`,
    project_grant_id: `${x}.project_grant_id`,
  }),
};

/**
 * Selects what happens to resources of the directory and to tokens: the columns of their events, the places of these, and the
 * change that names the resource; null if it follows from another one. A resource that is removed and added again has an
 * effect for each.
 */
function selectEffect(kind: Kind, x: string, around: Around, position: string, before: string, after: string): string {
  const its = describe[kind](x, around);
  const places = placeColumns.map((column) => `${its[column] ?? "null"} as ${column}`);
  return `
  select '${kind}' as kind, ${its.id} as id, ${its.within ?? "''"} as within, ${position} as position, ${places.join(", ")},
    ${before} as before, ${after} as after`;
}

const refersTo = (kind: Kind, column: string) => Object.values(resourceOf(kind).fields).includes(column);

/** Everything of a kind that is removed, by name or because of another removal. */
function removed(kind: Kind): string {
  const { table } = resourceOf(kind);
  const around = { owner: "p.organization_id", granted: "g.organization_id", formerly: "null" };
  return `${selectEffect(kind, "x", around, "d.position", imageOf(kind, "x"), "null::jsonb")}
  from doomed_${table} d join ${table} x on ${isSame(kind, "d", "x")}
  ${refersTo(kind, "project_id") ? "left join projects p on p.id = x.project_id" : ""}
  ${refersTo(kind, "project_grant_id") ? "left join project_grants g on g.id = x.project_grant_id" : ""}`;
}

/** Everything of a kind that is put in place. An administrator entry without roles is removed. */
function placed(kind: Kind): string {
  const { table, key } = resourceOf(kind);
  const isKnown = `x.${key[0]} is not null and d.${key[0]} is null`;
  const around = {
    owner: afterwards("p", "organization_id"),
    granted: afterwards("g", "organization_id"),
    formerly: `case when ${isKnown} then x.organization_id end`,
  };
  const before = imageOf(kind, "x");
  const description = `coalesce(s.description, case when ${isKnown} then x.description end)`;
  const after = imageOf(kind, "s", { role_keys: stagedKeys("s"), description });
  const stays = kind === "administrator" ? "cardinality(s.roles) > 0" : "true";
  return `${selectEffect(
    kind,
    "s",
    around,
    "s.position",
    `case when ${isKnown} then ${before} end`,
    `case when ${stays} then ${after} end`,
  )}
  from staged_${table} s
  left join ${table} x on ${isSame(kind, "x", "s")}
  left join doomed_${table} d on ${isSame(kind, "d", "s")}
  ${refersTo(kind, "project_id") ? joinAfter("project", "p", "s.project_id") : ""}
  ${refersTo(kind, "project_grant_id") ? joinAfter("projectGrant", "g", "s.project_grant_id") : ""}`;
}

const removedTokens = `
  select 'token', t.id, '', null, t.user_id, null, null, null, null, ${imageOfToken}, null
  from doomed_tokens d join tokens t on t.id = d.id`;

/** Grants that lose a key together with its role, unless a change gives the grant as a whole. */
const lessenedGrants = `${selectEffect(
  "projectGrant",
  "g",
  { owner: "g.owner_id", granted: "null", formerly: "null" },
  "null::bigint",
  imageOf("projectGrant", "g"),
  imageOf("projectGrant", "g", {
    role_keys: storedKeys(
      "projectGrant",
      "g",
      "not exists (select from lost_roles l where l.project_id = g.project_id and l.role_key = k.role_key)",
    ),
  }),
)}
  from (
    select distinct k.project_grant_id as id
    from lost_roles l join project_grant_roles k on k.project_id = l.project_id and k.role_key = l.role_key) lessened
  join project_grants g on g.id = lessened.id
  left join doomed_project_grants d on d.id = g.id
  left join staged_project_grants s on s.id = g.id
  where d.id is null and s.id is null`;

/**
 * What the changes do to the directory: its image before and after, and where it is. Only reads what is stored. Undefined if
 * they can do nothing to it.
 *
 * @param doomed the relations that can have rows
 */
export function selectEffects(
  placedKinds: ReadonlySet<ResourceKind>,
  doomed: { readonly [relation in Doomed]?: string },
): string | undefined {
  const all = resourceKinds.filter((kind) => kind !== "authorization");
  const effects = [
    ...all.filter((kind) => `doomed_${resources[kind].table}` in doomed).map(removed),
    ...("doomed_tokens" in doomed ? [removedTokens] : []),
    ...("lost_roles" in doomed ? [lessenedGrants] : []),
    ...all.filter((kind) => placedKinds.has(kind)).map(placed),
  ];
  return effects.length > 0 ? effects.join("\n  union all") : undefined;
}
