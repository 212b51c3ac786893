import sql, { raw, type Sql } from "sql-template-tag";
import { type Caller, organizationsWithAll, visibilityOf } from "../../authorization/permissions.ts";
import type { PlacedChange, Upsert } from "../../directory/change.ts";
import type { AffectedAuthorizations, ChangeAnswer, Outcome, Thing } from "../../directory/outcome.ts";
import type { Connection } from "../pool/database.ts";
import { isVisible } from "../seen/scopes.ts";
import { namedAuthorizations } from "./authorization-images.ts";
import type { Stage } from "./staging.ts";

/** What a request does to assignments. */
export type OfAssignments = { readonly found: readonly OutcomeRow[]; readonly following: AffectedAuthorizations[] };

/** Reads what the changes do to assignments, to those that they name and to others, before anything is written. */
export async function readAssignments({ query, has, placed, removed }: Stage, caller: Caller): Promise<OfAssignments> {
  const names = placed.has("authorization") || removed.has("authorization");
  const takes = has("doomed_authorizations") || has("shrunk_authorizations");
  const [found, following] = await Promise.all([
    names ? query<OutcomeRow>(selectNamed) : [],
    takes ? countAuthorizations({ query }, isVisible(visibilityOf(caller)), mostPlaces) : [],
  ]);
  return { found, following };
}

/** @param found what the changes do to everything else */
export function toAnswer(
  caller: Caller,
  changes: readonly PlacedChange[],
  assignments: OfAssignments,
  found: readonly OutcomeRow[],
): ChangeAnswer {
  const rows = [...assignments.found, ...found];
  const outcomes = new Map(rows.map((row) => [Number(row.position), toOutcome(row)]));
  return {
    outcomes: changes.map(({ position }) => outcomes.get(position) ?? nothing),
    authorizations: assignments.following,
    tokensMayStay: changes.some(removesUsers) && organizationsWithAll(caller, "user.write") !== undefined,
  };
}

function removesUsers({ change }: PlacedChange): boolean {
  return change.kind === "removal" && (change.thing.kind === "user" || change.thing.kind === "organization");
}

/** How many places an answer names. A single removal can concern any number. */
const mostPlaces = 1_000;

/**
 * Counts the assignments that follow the changes.
 *
 * @param isCounted whether an authorization `a` counts
 * @param mostPlaces how many places to name; the rest are added up in a last element without ids
 */
export function countAuthorizations(
  { query }: Connection,
  isCounted: Sql,
  mostPlaces: number,
): Promise<AffectedAuthorizations[]> {
  return query<AffectedAuthorizations>(countAffected(isCounted, mostPlaces));
}

export type OutcomeRow = {
  position: string;
  kind: Upsert["kind"];
  before: Thing["image"] | null;
  after: Thing["image"] | null;
  changed_fields: string[];
};

function toOutcome({ kind, before, after, changed_fields }: OutcomeRow): Outcome {
  return {
    effect: before === null ? "created" : after === null ? "removed" : changed_fields.length > 0 ? "changed" : "none",
    changedFields: changed_fields,
    before: before === null ? undefined : { kind, image: before },
    after: after === null ? undefined : { kind, image: after },
  };
}

/** For a change that removes what doesn't exist. */
const nothing: Outcome = { effect: "none", changedFields: [], before: undefined, after: undefined };

/** The date of a change is no field that it changes, unless it is given. */
const selectOutcomes = (named: Sql) => sql`
  select position, kind, before, after, array(
    select key from jsonb_object_keys(before || after) as key
    where before -> key is distinct from after -> key
      and not (kind = 'authorization' and key = 'changeDate' and after -> key is null)
    order by key) as changed_fields
  from (${named}) named
  where num_nonnulls(before, after) > 0`;

const selectNamed = selectOutcomes(raw(namedAuthorizations()));

/** Selects what the changes do to everything but assignments. */
export const selectEffectsNamed = selectOutcomes(sql`select * from effects where position is not null`);

/** Assignments that follow the changes. */
const countAffected = (isCounted: Sql, mostPlaces: number): Sql => sql`
  with places as materialized (
    select a.project_id, a.organization_id, count(*) filter (where not following.is_removed) as changed,
      count(*) filter (where following.is_removed) as removed,
      row_number() over (order by a.project_id, a.organization_id) as nth
    from (
      select id, true as is_removed from doomed_authorizations where position is null
      union all
      select distinct id, false from shrunk_authorizations) following
    join authorizations a on a.id = following.id
    where ${isCounted} and not exists (select from staged_authorizations s where s.id = following.id)
    group by a.project_id, a.organization_id)
  select project_id as "projectId", organization_id as "organizationId", changed::float8, removed::float8 from (
    select * from places where nth <= ${mostPlaces}::bigint
    union all
    select '', '', sum(changed), sum(removed), ${mostPlaces}::bigint + 1 from places where nth > ${mostPlaces}::bigint having count(*) > 0) named
  order by nth`;
