import type { Actor } from "../../authorization/actor.ts";
import type {
  Instant,
  LockedAuthorization,
  NewAuthorization,
  Place,
  RemovedAuthorization,
  State,
} from "../../authorization/authorization.ts";
import type { AuthorizationChange, PlaceOf, Whereabouts } from "../../authorization/store.ts";
import type { Connection } from "../pool/database.ts";
import type { Statement } from "../pool/prepared.ts";
import { lockAssignableRoles } from "./assignable-roles.ts";
import * as locks from "./authorization-locks.ts";
import * as statements from "./authorization-statements.ts";

/** Empty lists cause no statement. */
export function changeOn(connection: Connection, actor: Actor): AuthorizationChange {
  async function findPlaces(asked: readonly Whereabouts[]): Promise<PlaceOf> {
    if (asked.length === 0) return () => undefined;
    const rows = await connection.query<PlaceRow>(statements.findPlaces(asked));
    const places = new Map(rows.map(toPlace).map((place) => [keyOf(place), place]));
    return (where) => places.get(keyOf(where));
  }

  async function datesOf(statement: Statement): Promise<Map<string, Instant>> {
    const rows = await connection.query<{ id: string; time: Instant }>(statement);
    return new Map(rows.map(({ id, time }) => [id, time]));
  }

  return {
    async lockVisible(visibility, ids) {
      const locked = new Map<string, LockedAuthorization>();
      let left = [...ids];
      while (left.length > 0) {
        const [seen, rows] = await Promise.all([
          connection.query<{ id: string }>(locks.lockProjectsOf(visibility, left)),
          connection.query<LockedRow>(locks.lockVisible(visibility, left)),
        ]);
        for (const row of rows) locked.set(row.id, toLocked(row));
        // Seen before but gone after locking: it was removed, or removed and added again.
        left = seen.map(({ id }) => id).filter((id) => !locked.has(id));
      }
      return locked;
    },
    async findRemoved(ids) {
      if (ids.length === 0) return new Map();
      const rows = await connection.query<RemovedRow>(statements.findLastRemovals(ids));
      return new Map(rows.map((row) => [row.id, toRemoved(row)]));
    },
    async findHolding(wanted) {
      if (wanted.length === 0) return new Set();
      const rows = await connection.query<{ id: string }>(statements.findHolding(wanted));
      return new Set(rows.map(({ id }) => id));
    },
    lockAssignableRoles: (asked) => lockAssignableRoles(connection, asked),
    findPlaces,
    async lockPlaces(asked) {
      if (asked.length === 0) return () => undefined;
      const projectIds = unique(asked.map(({ projectId }) => projectId));
      const [, placeOf] = await Promise.all([connection.query(locks.lockProjects(projectIds)), findPlaces(asked)]);
      return placeOf;
    },
    async lockParties(asked) {
      const users = unique(asked.map(({ userId }) => userId));
      const organizations = unique(asked.map(({ organizationId }) => organizationId));
      const rows =
        asked.length === 0
          ? []
          : await connection.query<{ id: string; is_user: boolean }>(locks.lockParties(users, organizations));
      const idsOf = (isUser: boolean) => new Set(rows.filter((row) => row.is_user === isUser).map(({ id }) => id));
      return { users: idsOf(true), organizations: idsOf(false) };
    },
    async create(authorizations) {
      const results = new Map<string, { creationDate: Instant } | { existingId: string }>();
      let left: readonly NewAuthorization[] = authorizations;
      while (left.length > 0) {
        const created = await datesOf(statements.create(left, actor));
        for (const [id, creationDate] of created) results.set(id, { creationDate });
        left = left.filter(({ id }) => !created.has(id));
        if (left.length === 0) break;
        const same = await connection.query<{ id: string; existing_id: string }>(statements.findSame(left));
        for (const { id, existing_id } of same) results.set(id, { existingId: existing_id });
        // The existing one disappeared between the two statements, so the combination is free now.
        left = left.filter(({ id }) => !results.has(id));
      }
      return results;
    },
    async setState(ids, state) {
      return ids.length === 0 ? new Map() : datesOf(statements.setState(ids, state, actor));
    },
    async replaceRoles(wanted) {
      return wanted.length === 0 ? new Map() : datesOf(statements.replaceRoles(wanted, actor));
    },
    async remove(ids) {
      return ids.length === 0 ? new Map() : datesOf(statements.remove(ids, actor));
    },
  };
}

/** Ids never contain NUL, so it can separate them. */
function keyOf({ projectId, organizationId }: Whereabouts): string {
  return `${projectId}\0${organizationId}`;
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}

type PlaceRow = { project_id: string; organization_id: string; project_grant_id: string };
type LockedRow = PlaceRow & { id: string; user_id: string; state: State; change_date: Instant };
type RemovedRow = PlaceRow & { id: string; user_id: string; time: Instant };

function toPlace(row: PlaceRow): Place {
  return {
    projectId: row.project_id,
    organizationId: row.organization_id,
    projectGrantId: row.project_grant_id,
  };
}

function toLocked(row: LockedRow): LockedAuthorization {
  return { ...toPlace(row), id: row.id, userId: row.user_id, state: row.state, changeDate: row.change_date };
}

function toRemoved(row: RemovedRow): RemovedAuthorization {
  return { ...toPlace(row), userId: row.user_id, removalDate: row.time };
}
