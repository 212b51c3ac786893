import sql, { raw, type Sql } from "sql-template-tag";
import { type Caller, organizationsWithAll, visibilityOf } from "../../authorization/permissions.ts";
import type { PlacedChange, Upsert } from "../../directory/change.ts";
import type { AffectedAuthorizations, ChangeAnswer, Outcome, Thing } from "../../directory/outcome.ts";
import { isVisible } from "../seen/scopes.ts";
import { countAuthorizations } from "./apply/affected-authorizations.ts";
import { namedAuthorizations } from "./stage/authorization-images.ts";
import type { Stage } from "./stage/staging.ts";

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
  const removals = changes.flatMap(({ change }) => (change.kind === "removal" ? [change.thing.kind] : []));
  const removesUsers = removals.includes("user") || removals.includes("organization");
  const outcomes = new Map(rows.map((row) => [Number(row.position), toOutcome(row)]));
  return {
    outcomes: changes.map(({ position }) => outcomes.get(position) ?? nothing),
    authorizations: assignments.following,
    tokensMayStay: removesUsers && organizationsWithAll(caller, "user.write") !== undefined,
  };
}

/** How many places an answer names. A single removal can concern any number. */
const mostPlaces = 1_000;

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
