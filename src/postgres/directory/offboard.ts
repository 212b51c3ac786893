import sql, { raw, type Sql } from "sql-template-tag";
import {
  type Caller,
  everywhere,
  holdsAnywhere,
  holdsPermission,
  permissionDenied,
  scopesWith,
  visibilityOf,
} from "../../authorization/permissions.ts";
import { Refusal } from "../../authorization/refusal.ts";
import type { PlacedChange } from "../../directory/change.ts";
import { lackingAmong } from "../../directory/permitted-changes.ts";
import type { OffboardedPlace, Offboarding, OffboardingRequest } from "../../directory/store.ts";
import { deactivateAll } from "../change/authorization-statements.ts";
import { readMoment, settle } from "../change/settle.ts";
import type { Connection } from "../pool/database.ts";
import { isInForce } from "../pool/expiry.ts";
import { toEntry } from "../seen/entries.ts";
import {
  columnsOfNames,
  columnsOfUser,
  isSeenEntry,
  type NamedEntryRow,
  type NamesRow,
  namesOfEntry,
  toNamedEntry,
  toOrganization,
  toProject,
  type UserRow,
} from "../seen/named-entries.ts";
import { isReached, isVisible, reachEverything } from "../seen/scopes.ts";
import { isSameMaker } from "../token/list-tokens.ts";
import { revokeTokens } from "../token/revoke-token.ts";
import { lockDirectoryWithin } from "./apply/directory-locks.ts";
import { applyChanges, oneSnapshot, requireRemovable } from "./apply-permitted.ts";
import { readFacts } from "./permitted-changes.ts";

/**
 * Finds what a request takes, and refuses it if it can't be made. Reads one snapshot and takes no lock, so a request that is
 * refused makes no one wait.
 */
export async function tryOffboarding(connection: Connection, request: OffboardingRequest): Promise<Offboarding> {
  await connection.query({ text: oneSnapshot, values: [] });
  const judged = await judge(connection, request);
  const { answer } = await find(connection, request, judged);
  const { changes } = judged;
  if (changes.length > 0) await requireRemovable(connection, { ...request, changes }).catch(withoutIndex);
  return answer;
}

/** No one knows the changes that are made for a request. */
function withoutIndex(error: unknown): never {
  if (!(error instanceof Refusal) || error.reason !== "LAST_OWNER") throw error;
  throw new Refusal(
    "LAST_OWNER",
    "this would leave the instance without an IAM_OWNER: give another user that role first",
  );
}

/**
 * Takes what the user holds. What is found behind all locks is what is taken: the user can get nothing meanwhile, and loses
 * nothing otherwise.
 */
export async function offboard(
  connection: Connection,
  request: OffboardingRequest,
  longestWaitMs: number,
): Promise<Offboarding> {
  const { actor, userId, removes } = request;
  await lockDirectoryWithin(connection, longestWaitMs);
  // Neither the caller's rights nor the user's entries can change any more.
  const judged = await judge(connection, request);
  const { changes, reached, revokes } = judged;
  await connection.query(lockUser(userId));
  await connection.query(lockAuthorizations(userId, reached));
  const { answer, moment, isAnyDue } = await find(connection, request, judged);
  if (!removes) {
    const its = sql`a.user_id = ${userId}::text and ${reached}`;
    if (isAnyDue) await connection.query(settle(its, undefined, moment));
    await connection.query(deactivateAll(userId, reached, moment, actor));
  }
  if (changes.length > 0)
    await applyChanges(connection, { actor, changes, dryRun: false }, longestWaitMs).catch(withoutIndex);
  // Last: who suspends themselves needs the token until then.
  if (!removes && revokes) await revokeTokens(connection, sql`user_id = ${userId}::text`, actor);
  return answer;
}

/** New authorizations and tokens of the user wait for this lock. */
const lockUser = (userId: string) => sql`select from users where id = ${userId}::text for update`;

/** Also inactive ones, so that none is activated meanwhile. Those that the caller may not deactivate are none of its business. */
const lockAuthorizations = (userId: string, reached: Sql) => sql`
  select count(*) from (
    select from authorizations a where a.user_id = ${userId}::text and ${reached} order by a.id for update) locked`;

type Judged = Awaited<ReturnType<typeof judge>>;

/**
 * What the caller may take. It depends on nothing but rights and entries, which only changes of the directory change. Throws
 * PERMISSION_DENIED.
 */
async function judge(connection: Connection, { actor, userId, removes }: OffboardingRequest) {
  const scopes = await connection.query<{ scope: string }>(selectScopes(userId));
  const user: PlacedChange = {
    position: scopes.length,
    change: { kind: "removal", thing: { kind: "user", id: userId } },
  };
  const removals = scopes.map(({ scope }, position): PlacedChange => {
    const thing = { kind: "administrator" as const, userId, scope: toEntry({ scope, roles: [] }).scope };
    return { position, change: { kind: "removal", thing } };
  });
  const { caller, facts } = await readFacts(connection, actor.userId, [...removals, user]);
  const lacking = new Map(
    lackingAmong(caller, [...removals, user], facts).map(({ position, permission }) => [position, permission]),
  );
  const lackingToRemove = lacking.get(user.position);
  if (removes && lackingToRemove !== undefined) throw permissionDenied(lackingToRemove);
  if (!removes && !holdsAnywhere(caller, "user.grant.write")) throw permissionDenied("user.grant.write");
  /** Whether the entry at a position in the order of scopes is removed. */
  const isTaken = (position: number) => removes || !lacking.has(position);
  const writable = scopesWith(caller, "user.grant.write");
  return {
    caller,
    /** The removals that are made. */
    changes: removes ? [user] : removals.filter(({ position }) => isTaken(position)),
    isTaken,
    mayRemove: lackingToRemove === undefined,
    /** True for an authorization `a` that the caller may deactivate. */
    reached: removes || reachEverything(writable) ? sql`true` : isReached("authorizations", sql`a`, writable),
    /** Whether the user's tokens are revoked, by themselves or with the user. */
    revokes: removes || mayRevoke(caller) || caller.userId === userId,
  };
}

function mayRevoke(caller: Caller): boolean {
  return holdsPermission(caller, "directory.write", everywhere);
}

/** Finds what is taken, at a moment, and whether ends have passed by then that aren't written. Throws USER_NOT_FOUND. */
async function find({ query }: Connection, { userId, removes }: OffboardingRequest, judged: Judged) {
  const { moment, isAnyDue } = await readMoment(query);
  const entries = await findEntries(query, userId, judged);
  const condition = removes ? sql`true` : isInForce(sql`a`, moment);
  const places = await query<PlaceRow>(selectPlaces(userId, judged.caller, condition, judged.reached));
  const tokens = await findTokens(query, userId, judged);
  const unlisted = {
    authorizations: places.find(({ is_seen }) => !is_seen)?.taken ?? 0,
    administrators: entries.unlisted,
    tokens: judged.revokes ? 0 : tokens.own,
  };
  const answer: Offboarding = {
    places: places.flatMap((row) => (row.is_seen ? [toPlace(row)] : [])),
    administrators: entries.taken.map(toNamedEntry),
    keptAdministrators: entries.kept.map(toNamedEntry),
    tokens: judged.revokes ? tokens.own : 0,
    leftWithoutOwner: await query<{ id: string; name: string }>(selectOwnerless(userId, entries.taken)),
    unlisted: judged.mayRemove ? unlisted : undefined,
    tokensForOthers: tokens.forOthers,
  };
  return { answer, moment, isAnyDue };
}

async function findEntries(query: Connection["query"], userId: string, { caller, isTaken }: Judged) {
  const held = await query<EntryRow>(selectEntries(userId, caller));
  if (held.length === 0) throw new Refusal("USER_NOT_FOUND", "userId: there is no such user");
  const entries = held.filter(({ scope }) => scope !== null);
  return {
    taken: entries.filter((entry, position) => entry.is_seen && isTaken(position)),
    kept: entries.filter((entry, position) => entry.is_seen && !isTaken(position)),
    unlisted: entries.filter(({ is_seen }) => !is_seen).length,
  };
}

/** Counts the tokens of the user, and those that it made for others, as far as the caller may know. */
async function findTokens(query: Connection["query"], userId: string, { caller, mayRemove, revokes }: Judged) {
  const count = async (isTold: boolean, condition: Sql) => {
    if (!isTold) return 0;
    const [row] = await query<{ count: number }>(sql`select count(*)::float8 from tokens t where ${condition}`);
    return row?.count ?? 0;
  };
  return {
    own: await count(revokes || mayRemove, sql`user_id = ${userId}::text`),
    forOthers: await count(
      mayRevoke(caller),
      sql`maker_id = ${userId}::text and user_id <> ${userId}::text and ${isSameMaker}`,
    ),
  };
}

const selectScopes = (userId: string) =>
  sql`select scope from administrators where user_id = ${userId}::text order by scope`;

type EntryRow = UserRow & NamedEntryRow & { is_seen: boolean };

/** The user's entries in the same order, or a row without a scope. No row if there is no such user. */
const selectEntries = (userId: string, caller: Caller) => sql`
  select e.scope, e.roles, ${isSeenEntry(visibilityOf(caller), sql`e`)} as is_seen, ${columnsOfUser}, ${columnsOfNames}
  from users u left join administrators e on e.user_id = u.id ${namesOfEntry}
  where u.id = ${userId}::text
  order by e.scope`;

type PlaceRow = NamesRow & { is_seen: boolean; taken: number; kept: number };

/** How many places are named. */
const mostPlaces = 1_000;

/** The places that the caller sees, the rest of them in a row without names, and one row for everything that it doesn't see. */
const selectPlaces = (userId: string, caller: Caller, condition: Sql, reached: Sql) => sql`
  with held as (
    select a.project_id, a.organization_id, (${isVisible(visibilityOf(caller))}) is true as is_seen, (${reached}) is true as is_reached
    from authorizations a
    where a.user_id = ${userId}::text and ${condition}
  ), ranked as (
    select project_id, organization_id, is_seen, is_reached,
      dense_rank() over (order by is_seen desc, project_id, organization_id) as nth
    from held
  )
  select is_seen, ${columnsOfNames},
    taken::float8, kept::float8
  from (
    select is_seen, case when is_seen then least(nth, ${mostPlaces}::bigint + 1) end as nth,
      case when is_seen and nth <= ${mostPlaces}::bigint then project_id end as project_id,
      case when is_seen and nth <= ${mostPlaces}::bigint then organization_id end as organization_id,
      count(*) filter (where is_reached or not is_seen) as taken, count(*) filter (where is_seen and not is_reached) as kept
    from ranked
    group by 1, 2, 3, 4
  ) place
  left join projects p on p.id = place.project_id
  left join organizations o on o.id = place.organization_id
  order by is_seen desc, nth`;

function toPlace(row: PlaceRow): OffboardedPlace {
  const isNamed = row.named_project_id !== null;
  return {
    project: isNamed ? toProject(row) : undefined,
    organization: isNamed ? toOrganization(row) : undefined,
    taken: row.taken,
    kept: row.kept,
  };
}

/** Of the organizations in which the user is an ORG_OWNER, those that have no other. */
const selectOwnerless = (userId: string, entries: readonly EntryRow[]) => sql`
  select o.id, o.name
  from organizations o
  where o.id = any(${entries.filter(({ roles }) => roles.includes("ORG_OWNER")).map(({ named_organization_id }) => named_organization_id)}::text[])
    and not exists (
      select from administrators a
      where a.organization_id = o.id and ${raw("'ORG_OWNER' = any(a.roles)")} and a.user_id <> ${userId}::text)
  order by o.id`;
