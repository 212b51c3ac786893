import type {
  Instant,
  LockedAuthorization,
  Place,
  RemovedAuthorization,
  State,
} from "../authorization/authorization.ts";
import type { AuthorizationChange, AuthorizationStore } from "../authorization/store.ts";
import * as statements from "./authorization-statements.ts";
import type { Connection, Database } from "./database.ts";
import { fewRows, listAuthorizations } from "./list-authorizations.ts";

export function postgresAuthorizations(database: Database, most = fewRows): AuthorizationStore {
  return {
    list: (visibility, query, signal) => listAuthorizations(database, visibility, query, signal, most),
    change: (actorId, signal, work) =>
      database.transaction(signal, (connection) => work(changeOn(connection, actorId))),
  };
}

function changeOn(connection: Connection, actorId: string): AuthorizationChange {
  return {
    async lockVisible(visibility, id) {
      for (;;) {
        const [[seen], [row]] = await Promise.all([
          connection.query(statements.lockProjectOf(visibility, id)),
          connection.query<LockedRow>(statements.lockVisible(visibility, id)),
        ]);
        if (row !== undefined) return toLocked(row);
        // Seen and gone when the lock was had: it was removed, or removed and put in place anew.
        if (seen === undefined) return undefined;
      }
    },
    async findRemoved(id) {
      const [row] = await connection.query<RemovedRow>(statements.findLastRemoval(id));
      return row && toRemoved(row);
    },
    async roleKeys({ id }) {
      const rows = await connection.query<{ role_key: string }>(statements.selectRoleKeys(id));
      return rows.map((row) => row.role_key);
    },
    async lockAssignableRoles(place, keys) {
      const rows = await connection.query<{ role_key: string }>(statements.lockAssignableRoles(place, keys));
      return new Set(rows.map((row) => row.role_key));
    },
    async findPlace(projectId, organizationId) {
      const [row] = await connection.query<PlaceRow>(statements.findPlace(projectId, organizationId));
      return row && toPlace(row);
    },
    async lockPlace(projectId, organizationId) {
      const [, [row]] = await Promise.all([
        connection.query(statements.lockProject(projectId)),
        connection.query<PlaceRow>(statements.findPlace(projectId, organizationId)),
      ]);
      return row && toPlace(row);
    },
    async lockParties(userId, organizationId) {
      const [row] = await connection.query<{ user: boolean; organization: boolean }>(
        statements.lockParties(userId, organizationId),
      );
      return row ?? { user: false, organization: false };
    },
    async create(authorization) {
      for (;;) {
        const [created] = await connection.query<{ time: Instant }>(statements.create(authorization, actorId));
        if (created !== undefined) return { creationDate: created.time };
        const [existing] = await connection.query<{ id: string }>(statements.findSame(authorization));
        // Gone again between the two statements: the combination is free now.
        if (existing !== undefined) return { existingId: existing.id };
      }
    },
    async setState({ id }, state) {
      return dateOf(await connection.query(statements.setState(id, state, actorId)));
    },
    async replaceRoles({ id }, keys) {
      return dateOf(await connection.query(statements.replaceRoles(id, keys, actorId)));
    },
    async remove({ id }) {
      return dateOf(await connection.query(statements.remove(id, actorId)));
    },
  };
}

type PlaceRow = { project_id: string; organization_id: string; project_grant_id: string };
type LockedRow = PlaceRow & { id: string; user_id: string; state: State; change_date: Instant };
type RemovedRow = PlaceRow & { user_id: string; time: Instant };

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

function dateOf([row]: { time: Instant }[]): Instant {
  if (row === undefined) throw new Error("a locked authorization was not there to change");
  return row.time;
}
