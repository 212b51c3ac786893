import { randomBytes } from "node:crypto";
import type { TestDatabase } from "./database.ts";
import type { TestServer } from "./server.ts";

export type Assigned = { readonly id: string; readonly userId: string };

type Assignment = {
  projectId: string;
  organizationId: string;
  roleKeys: readonly string[];
  state: "active" | "inactive";
  creationDate: string;
  changeDate: string;
  /** It may have passed, as if no one had written that yet. */
  expirationDate: string;
};

/**
 * An authorization in the small world for a user made for it, so that a test can change it without
 * disturbing another. It was last changed at the beginning of 2024 and holds `seller` unless told otherwise.
 * Made by SQL as an import would make it, because an import takes its time.
 */
export async function assign(database: TestDatabase, given: Partial<Assignment> = {}): Promise<Assigned> {
  const userId = await addUser(database);
  const id = `of-${userId}`;
  const date = "2024-01-01T00:00:00Z";
  const all: Omit<Assignment, "expirationDate"> = {
    projectId: "shop",
    organizationId: "acme",
    roleKeys: ["seller"],
    state: "active",
    creationDate: date,
    changeDate: date,
    ...given,
  };
  const { projectId, organizationId, roleKeys, state, creationDate, changeDate } = all;
  const place = [projectId, organizationId, roleKeys, state];
  const dates = [creationDate, changeDate, given.expirationDate ?? null];
  await database.query(addAuthorization, [id, userId, ...place, ...dates]);
  return { id, userId };
}

/** A token of a new user that has one administrator entry, given with its scope, or none. */
export async function administrator(database: TestDatabase, entry?: AdministratorEntry): Promise<string> {
  const userId = await addUser(database);
  if (entry !== undefined) {
    await database.query(
      `insert into administrators (user_id, organization_id, project_id, project_grant_id, roles)
       values ($1, $2, $3, $4, $5)`,
      [userId, entry.organizationId, entry.projectId, entry.projectGrantId, entry.roles],
    );
  }
  return database.token(userId);
}

/** As the import format has it, without the user. */
export type AdministratorEntry = {
  instance?: true;
  organizationId?: string;
  projectId?: string;
  projectGrantId?: string;
  roles: readonly string[];
};

/** The authorization as ListAuthorizations answers it, or undefined when the caller is not shown it. */
export async function listed(server: TestServer, id: string, token: string): Promise<any> {
  const answer = await server.call("ListAuthorizations", { filters: [{ authorizationIds: { ids: [id] } }] }, { token });
  return answer.body.authorizations[0];
}

/** A new user of Initech, which owns nothing. */
async function addUser(database: TestDatabase): Promise<string> {
  const id = `user-${randomBytes(6).toString("hex")}`;
  await database.query(
    `insert into users (id, organization_id, preferred_login_name, display_name, avatar_url)
     values ($1, 'initech', 'someone', '', '')`,
    [id],
  );
  return id;
}

const addAuthorization = `
  with added as (
    insert into authorizations (
      id, user_id, user_organization_id, project_id, organization_id, project_grant_id, state, creation_date, change_date,
      expiration_date)
    select $1::text, $2::text, (select organization_id from users where id = $2::text), $3::text, $4::text, coalesce(max(id), ''), $6::authorization_state, $7, $8, $9
    from project_grants
    where project_id = $3::text and organization_id = $4::text
    returning *
  ), roles as (
    insert into authorization_roles (authorization_id, project_id, project_grant_id, role_key)
    select a.id, a.project_id, a.project_grant_id, key from added a cross join unnest($5::text[]) as key
  ), dated as (
    insert into authorization_change_dates (id, organization_id, project_id, change_date)
    select id, organization_id, project_id, change_date from added
  )
  insert into events (
    authorization_id, type, time, actor_id, user_id, project_id, organization_id, project_grant_id, role_keys, state,
    creation_date, expiration_date, request_id)
  select
    id, 'user.grant.added', creation_date, null, user_id, project_id, organization_id, project_grant_id,
    array(select key from unnest($5::text[]) as key order by key collate "C"), state, creation_date, expiration_date,
    gen_random_uuid()
  from added`;
