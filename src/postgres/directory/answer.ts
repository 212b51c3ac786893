import sql, { raw, type Sql } from "sql-template-tag";
import { type Caller, organizationsWithAll, visibilityOf } from "../../authorization/permissions.ts";
import type { PlacedChange, Upsert } from "../../directory/change.ts";
import type { AffectedAuthorizations, ChangeAnswer, Outcome, Thing } from "../../directory/outcome.ts";
import type { Connection } from "../pool/database.ts";
import { isVisible } from "../seen/scopes.ts";
import { namedAuthorizations } from "./authorization-images.ts";
import type { Stage } from "./staging.ts";

/** Reads the answer to a request from what was found about its changes, before anything is written. */
export async function answerOf(stage: Stage, caller: Caller, changes: readonly PlacedChange[]): Promise<ChangeAnswer> {
  const takes = stage.has("doomed_authorizations") || stage.has("shrunk_authorizations");
  const [found, authorizations] = await Promise.all([
    stage.query<OutcomeRow>(selectOutcomes),
    takes ? countAuthorizations(stage, isVisible(visibilityOf(caller)), mostPlaces) : [],
  ]);
  const outcomes = new Map(found.map((row) => [Number(row.position), toOutcome(row)]));
  return {
    outcomes: changes.map(({ position }) => outcomes.get(position) ?? nothing),
    authorizations,
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
export async function countAuthorizations(
  { query }: Connection,
  isCounted: Sql,
  mostPlaces: number,
): Promise<AffectedAuthorizations[]> {
  return (await query<AffectedRow>(countAffected(isCounted, mostPlaces))).map(toAffected);
}

type OutcomeRow = {
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

type AffectedRow = { project_id: string; organization_id: string; changed: string; removed: string };

function toAffected(row: AffectedRow): AffectedAuthorizations {
  return {
    projectId: row.project_id,
    organizationId: row.organization_id,
    changed: Number(row.changed),
    removed: Number(row.removed),
  };
}

/** The date of a change is no field that it changes, unless it is given. */
const selectOutcomes = sql`
  select position, kind, before, after, array(
    select key from jsonb_object_keys(before || after) as key
    where before -> key is distinct from after -> key
      and not (kind = 'authorization' and key = 'changeDate' and after -> key is null)
    order by key) as changed_fields
  from (
    select position, kind, id, before, after from effects where position is not null
    union all ${raw(namedAuthorizations("resolved_authorizations", "staged_removals"))}) named
  where num_nonnulls(before, after) > 0`;

/** Assignments that follow the changes. */
const countAffected = (isCounted: Sql, mostPlaces: number): Sql => sql`
  with places as materialized (
    select a.project_id, a.organization_id, count(*) filter (where not following.is_removed) as changed,
      count(*) filter (where following.is_removed) as removed,
      row_number() over (order by a.project_id, a.organization_id) as nth
    from (
      select id, true as is_removed from doomed_authorizations where not is_named
      union all
      select distinct id, false from shrunk_authorizations) following
    join authorizations a on a.id = following.id
    where ${isCounted} and not exists (select from staged_authorizations s where s.id = following.id)
    group by a.project_id, a.organization_id)
  select project_id, organization_id, changed, removed from (
    select * from places where nth <= ${mostPlaces}::bigint
    union all
    select '', '', sum(changed), sum(removed), ${mostPlaces}::bigint + 1 from places where nth > ${mostPlaces}::bigint having count(*) > 0) named
  order by nth`;
