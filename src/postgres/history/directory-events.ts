import sql, { join, raw, type Sql } from "sql-template-tag";
import { type Caller, everywhere, holdsPermission, scopesWith, visibilityOf } from "../../authorization/permissions.ts";
import { type DirectoryEvent, type ThingKind, thingKinds } from "../../directory/history.ts";
import type { Source } from "../page/top-of-sources.ts";
import { withinBytes } from "../page/within-bytes.ts";
import { hiddenTo, isSince } from "../seen/places.ts";
import { idsOf, reachEverything } from "../seen/scopes.ts";
import { toUser, type UserFields, userFieldsOfEvent } from "../seen/user-fields.ts";
import { conditionsOn, type HistoryTable, inTime } from "./history-table.ts";
import type { ListedHistory } from "./list-history.ts";
import { idsIn, type Narrowing } from "./narrowing.ts";
import { byTime, ofTypes, type Seen, type Way } from "./ways.ts";

type Id = "id" | "userId" | "organizationId" | "projectId";
type DirectoryNarrowing = Narrowing<Id, ThingKind>;

const table: HistoryTable<Id, ThingKind> = {
  view: "kept_directory_events",
  type: sql`e.kind`,
  types: thingKinds,
  has: {
    id: (id) => sql`e.id = ${id}::text`,
    userId: (id) => sql`e.user_id = ${id}::text`,
    organizationId: (id) => isOf("organization", id),
    projectId: (id) => isOf("project", id),
  },
  few: ["userId"],
  // Of a user who moves, for example.
  several: "organizationId",
};

/** The history of the directory. Who sees what is explained in docs/reference/directory-history.md. */
export const directoryEvents: ListedHistory<Id, ThingKind, Row, DirectoryEvent> = {
  ...table,
  seenBy,
  listed: (caller, page) => withinBytes(selectListed(caller, page), sql`l.bytes`),
  toEvent,
};

/** What an event can belong to, and what has to be created again to hide it from its new administrators. */
const places = {
  organization: "organization",
  project: "project",
  projectGrant: "projectGrant",
  grantOwner: "organization",
  grantedProject: "project",
} as const;
type PlaceKind = keyof typeof places;

/** How an event belongs to what a filter names. No event belongs to the same organization or project in both ways. */
const asFiltered = { organization: ["organization", "grantOwner"], project: ["project", "grantedProject"] } as const;

function seenBy(caller: Caller, narrowing: DirectoryNarrowing): Seen {
  const { userId, scopes } = visibilityOf(caller);
  const conditions = inTime(narrowing);
  const ofKinds = (kinds: readonly ThingKind[]) => ofTypes(table, kinds, conditions);
  const own = isOwnEvent(userId);
  if (holdsPermission(caller, "directory.write", everywhere)) {
    const ways = waysOfFilters(narrowing, sql`true`);
    return { tables: [], size: 0, isSeen: sql`true`, ways, everywhere: [ofKinds(thingKinds)] };
  }
  // No event of a token is in a place.
  const isOfTokens = narrowing.types?.every((kind) => kind === "token") ?? false;
  if (reachEverything(scopes)) {
    const isSeen = sql`(e.kind <> 'token' or ${own})`;
    const tokens = { ...byTime(table), holds: own, conditions: [sql`(e.kind = 'token') is true`, ...conditions] };
    const ways = waysOfFilters(narrowing, isSeen);
    const all = [ofKinds(thingKinds.filter((kind) => kind !== "token")), tokens];
    return { tables: [], size: 0, isSeen, isOwn: isOfTokens ? own : undefined, ways, everywhere: all };
  }
  const reached = reachedBy(caller);
  const size = reached.flatMap(({ ids }) => ids).length;
  const isSeen = size === 0 ? own : sql`(${own} or ${isInPlaces()})`;
  return {
    tables: size === 0 ? [] : tablesOf(reached),
    size,
    isSeen,
    isOwn: size === 0 || isOfTokens ? own : undefined,
    ways:
      size === 0 ? [] : [...waysOfFilters(narrowing, isSeen, isReached), inPlaces(narrowing, own, scopes.length > 1)],
    everywhere: [],
  };
}

/** What tells which events `e` the caller sees, with the tables that this needs, for another statement. */
export function seenDirectoryEvents(caller: Caller): Pick<Seen, "tables" | "isSeen"> {
  return seenBy(caller, { ids: new Map() });
}

type Reached = { readonly kind: PlaceKind; readonly ids: readonly string[] };

/** As in look-ups, the owner's side of a grant is for those who may change the project's grants (src/postgres/seen/directory.ts). */
function reachedBy(caller: Caller): Reached[] {
  const { scopes } = visibilityOf(caller);
  const granting = scopesWith(caller, "project.grant.write");
  return [
    { kind: "organization" as const, ids: idsOf("organization", scopes) },
    { kind: "project" as const, ids: idsOf("project", scopes) },
    { kind: "projectGrant" as const, ids: idsOf("projectGrant", scopes) },
    { kind: "grantOwner" as const, ids: idsOf("organization", granting) },
    { kind: "grantedProject" as const, ids: idsOf("project", granting) },
  ].filter(({ ids }) => ids.length > 0);
}

/** The tables that the functions below expect: the places of the caller, and those with hidden events, which are few. */
function tablesOf(reached: readonly Reached[]): Sql[] {
  const selected = reached.map(
    ({ kind, ids }) => sql`
      select ${raw(`'${kind}'`)} collate "C" as place_kind, ids.id collate "C" as place_id,
        ${hiddenTo(places[kind], sql`ids.id`, "last_directory_event")} as hidden_to
      from unnest((select ${ids}::text[])) as ids (id)`,
  );
  return [
    sql`reached as materialized (${join(selected, " union all ")})`,
    sql`hidden_places as materialized (select * from reached where hidden_to > 0)`,
  ];
}

/** True for an event `e` of an entry or a token of the caller, and not of an earlier user with the same id. */
function isOwnEvent(userId: string): Sql {
  const hidden = hiddenTo("user", sql`${userId}::text`, "last_directory_event");
  return sql`(e.user_id = ${userId}::text and e.kind in ('administrator', 'token') and ${isSince(sql`e`, hidden)})`;
}

/**
 * True for an event `e` in one of the caller's places, which are looked up in a hash table. The offset keeps Postgres
 * from joining all places of all events first.
 *
 * @param which a condition on those places `p`
 */
function isInPlaces(which = sql`true`): Sql {
  return sql`exists (
        select from directory_event_places p
        where p.sequence = e.sequence and ${which} and (p.kind, p.id) in (select place_kind, place_id from reached)
          and not (p.kind, p.id) in (select place_kind, place_id from hidden_places where hidden_to >= p.sequence) offset 0)`;
}

/** Rows of the places of events, by time. */
const ofPlaces = { ...byTime(table), from: sql`kept_directory_event_places e` };

/**
 * Events in the caller's places, each in the first one of them; and the caller's own that are in none.
 *
 * @param isInSeveral whether an event can be in several of the places, because they are of several scopes
 */
function inPlaces(narrowing: DirectoryNarrowing, own: Sql, isInSeveral: boolean): Way {
  const rows = conditionsOn(table, narrowing);
  const isFirst = sql`not ${isInPlaces(sql`(p.kind, p.id) < (e.kind, e.id)`)}`;
  const ofEachPlace: Source = {
    ...ofPlaces,
    each: sql`reached r`,
    places: sql`true`,
    holds: sql`e.kind = r.place_kind and e.id = r.place_id and ${isSince(sql`e`, sql`r.hidden_to`)}`,
    conditions: [...inTime(narrowing), ...(isInSeveral ? [isFirst] : []), ...(rows.length > 0 ? [hasEvent(rows)] : [])],
  };
  const conditions = [sql`not ${isInPlaces()}`, ...inTime(narrowing), ...rows];
  return [ofEachPlace, { ...byTime(table), holds: own, conditions }];
}

/**
 * The ways through the thing, the project and the organization that filters name.
 *
 * @param isWholeReached whether the caller sees all events of a kind of place
 */
function waysOfFilters(
  narrowing: DirectoryNarrowing,
  isSeen: Sql,
  isWholeReached?: (kind: Sql, id: Sql, hidden: Sql) => Sql,
): (Way | undefined)[] {
  const [thing] = idsIn(narrowing, "id");
  const conditions = [isSeen, ...inTime(narrowing), ...conditionsOn(table, narrowing)];
  const ofThing = (id: string): Way => [
    { ...byTime(table), from: eventsWithId(id), each: eachKind(narrowing), holds: sql`true`, conditions },
  ];
  const inPlace = (place: "organization" | "project"): Way | undefined => {
    const filter = `${place}Id` as const;
    const [id] = idsIn(narrowing, filter);
    if (id === undefined) return undefined;
    const value = sql`${id}::text`;
    const rows = conditionsOn(table, narrowing, filter);
    const isThere = isWholeReached?.(sql`e.kind`, value, hiddenTo(place, value, "last_directory_event"));
    const seen = isThere === undefined ? hasEvent([isSeen]) : sql`(${isThere} or ${hasEvent([isSeen])})`;
    return [
      {
        ...ofPlaces,
        each: sql`(values ${join(asFiltered[place].map((kind) => sql`(${raw(`'${kind}'`)} collate "C")`))}) as r (kind)`,
        areKinds: true,
        holds: sql`e.kind = r.kind and e.id = ${value}`,
        conditions: [seen, ...inTime(narrowing), ...(rows.length > 0 ? [hasEvent(rows)] : [])],
      },
    ];
  };
  return [thing === undefined ? undefined : ofThing(thing), inPlace("project"), inPlace("organization")];
}

function isReached(kind: Sql, id: Sql, hidden: Sql): Sql {
  return sql`((${kind}, ${id}) in (select place_kind, place_id from reached) and ${isSince(sql`e`, hidden)})`;
}

/** True for a row of a place whose event `e` meets the conditions. */
function hasEvent(conditions: readonly Sql[]): Sql {
  return sql`exists (
        select from (select * from directory_events d where d.sequence = e.sequence offset 0) e
        where ${join([...conditions], " and ")})`;
}

function isOf(place: keyof typeof asFiltered, id: string): Sql {
  return sql`exists (
        select from directory_event_places p
        where p.sequence = e.sequence and p.kind = any(${asFiltered[place]}::text[]) and p.id = ${id}::text)`;
}

function eachKind({ types = thingKinds }: DirectoryNarrowing): Sql {
  return sql`unnest((select ${types}::text[])) as r (kind)`;
}

/** The offset makes Postgres find the few events of a thing first. Otherwise it could read all events by their time. */
function eventsWithId(id: string): Sql {
  return sql`(
          select * from kept_directory_events where kind = r.kind collate "C" and id = ${id}::text offset 0) e`;
}

/** What was removed since is another user today, even if it has the same id. */
function selectListed(caller: Caller, page: Sql): Sql {
  const hidden = hiddenTo("user", sql`e.actor_id`, "last_directory_event");
  return sql`
    select
      page.position, e.bytes, e.sequence, e.time, e.kind, e.request_id as "requestId", e.reason, e.before, e.after,
      e.actor_id, ${userFieldsOfEvent(sql`actor`, sql`true`, sql`e.actor_id`, seenDirectoryEvents(caller).isSeen)} as actor_fields
    from unnest(array(select id from (${page}) page)) with ordinality as page (sequence, position)
    cross join lateral (select * from directory_events where sequence = page.sequence limit 1) e
    left join lateral (
      select * from users where id = e.actor_id and e.sequence > ${hidden} limit 1) actor on true`;
}

type Row = Omit<DirectoryEvent, "actor"> & {
  /** Null for the command line. */
  actor_id: string | null;
  actor_fields: UserFields | null;
};

function toEvent({ sequence, time, kind, actor_id, actor_fields, ...row }: Row): DirectoryEvent {
  const { requestId, reason, before, after } = row;
  const actor = actor_id === null ? null : toUser(actor_id, actor_fields);
  return { sequence, time, kind, actor, requestId, reason, before, after };
}
