import { expect } from "vitest";
import type { Answer, TestServer } from "./server.ts";

/** Changes of the directory in the JSON of requests and of the import format, beside those in world.ts. */

export function organization(id: string, name = id): object {
  return { organization: { id, name } };
}

export function project(id: string, organizationId: string, name = id): object {
  return { project: { id, organizationId, name } };
}

export function projectGrant(id: string, projectId: string, organizationId: string, ...roleKeys: string[]): object {
  return { projectGrant: { id, projectId, organizationId, roleKeys } };
}

export function entry(userId: string, scope: object, ...roles: string[]): object {
  return { administrator: { userId, ...scope, roles } };
}

export function remove(thing: object): object {
  return { remove: thing };
}

export function removeRole(projectId: string, key: string): object {
  return remove({ projectRole: { projectId, key } });
}

export function applyChanges(server: TestServer, token: string, changes: readonly object[]): Promise<Answer> {
  return server.callDirectory("ApplyChanges", { changes }, { token });
}

/** Fails unless the changes are applied, and unless the answer says how many they were. Resolves to the answer. */
export async function apply(server: TestServer, token: string, ...changes: object[]): Promise<Answer["body"]> {
  const { status, body } = await applyChanges(server, token, changes);
  expect({ status, body }).toMatchObject({ status: 200, body: { applied: changes.length } });
  return body;
}
