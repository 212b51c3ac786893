import sql, { join, raw, type Sql } from "sql-template-tag";
import { type Caller, everywhere, holdsPermission, visibilityOf } from "../../authorization/permissions.ts";
import { hiddenTo, isSince } from "../seen/places.ts";
import { idsOf, reachEverything } from "../seen/scopes.ts";

/** What a caller sees of the history of the directory (docs/reference/directory-history.md). */
export type DirectoryVisibility = {
  readonly userId: string;
  /** Everything; or everything but the tokens of others; or what is in some places, and the caller's own. */
  readonly sees: "everything" | "allButTokens" | "places";
  /** The scopes of the caller as tables with `place_kind`, `place_id` and `hidden_to`; empty unless it sees places. */
  readonly places: readonly Sql[];
  /** How many places there are. */
  readonly size: number;
  /** Whether only events of a range of times are listed. */
  readonly isInTime: boolean;
};

const kindsOfPlaces = ["organization", "project", "projectGrant"] as const;

export function directoryVisibility(caller: Caller, isInTime: boolean): DirectoryVisibility {
  const { userId, scopes } = visibilityOf(caller);
  const none = { userId, places: [], size: 0, isInTime };
  if (holdsPermission(caller, "directory.write", everywhere)) return { ...none, sees: "everything" };
  if (reachEverything(scopes)) return { ...none, sees: "allButTokens" };
  const held = kindsOfPlaces.map((kind) => ({ kind, ids: idsOf(kind, scopes) })).filter(({ ids }) => ids.length > 0);
  const places = held.map(
    ({ kind, ids }) => sql`
      select ${raw(`'${kind}'`)} collate "C" as place_kind, ids.id collate "C" as place_id,
        ${hiddenTo(kind, sql`ids.id`, "last_directory_event")} as hidden_to
      from unnest((select ${ids}::text[])) as ids (id)`,
  );
  return { ...none, sees: "places", places, size: held.flatMap(({ ids }) => ids).length };
}

/** The tables that the functions below expect: the places, and those with hidden events, which are few. */
export function placesTables({ places }: DirectoryVisibility): Sql[] {
  if (places.length === 0) return [];
  return [
    sql`reach as materialized (${join([...places], " union all ")})`,
    sql`hiding as materialized (select * from reach where hidden_to > 0)`,
  ];
}

/** True for an event of the directory, as a row `e`, that the caller sees. */
export function isSeenEvent(visibility: DirectoryVisibility): Sql {
  switch (visibility.sees) {
    case "everything":
      return sql`true`;
    case "allButTokens":
      return sql`(e.kind <> 'token' or ${isOwnEvent(visibility)})`;
    case "places":
      return sql`(${isOwnEvent(visibility)} or ${isInPlaces(visibility)})`;
  }
}

/** True for an event `e` of an entry or a token of the caller, and not of an earlier user with the same id. */
export function isOwnEvent({ userId, isInTime }: DirectoryVisibility): Sql {
  const hidden = hiddenTo("user", sql`${userId}::text`, "last_directory_event");
  return sql`(e.user_id = ${userId}::text and e.kind in ('administrator', 'token') and ${isSince(sql`e`, hidden, isInTime)})`;
}

/**
 * True for an event `e` in one of the caller's places, which are looked up in a hash table. The offset keeps Postgres
 * from joining all places of all events first.
 *
 * @param which a condition on those places `p`
 */
export function isInPlaces({ places }: DirectoryVisibility, which = sql`true`): Sql {
  if (places.length === 0) return sql`false`;
  return sql`exists (
        select from directory_event_places p
        where p.sequence = e.sequence and ${which} and ${isReachedPlace} offset 0)`;
}

const isReachedPlace = sql`(p.kind, p.id) in (select place_kind, place_id from reach)
          and not (p.kind, p.id) in (select place_kind, place_id from hiding where hidden_to >= p.sequence)`;
