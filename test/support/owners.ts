import { entry, organization, remove } from "./changes.ts";
import type { TestDatabase } from "./database.ts";
import { user } from "./world.ts";

/** Each is the only user of an organization of its own. */
const ownerIds = ["o1", "o2", "o3"] as const;

export const instance = { instance: true };

export function organizationOf(userId: string): string {
  return `home-of-${userId}`;
}

/** Puts these users in place as the only administrators there are, all of them IAM_OWNER. */
export async function setOwners(database: TestDatabase, ...owners: string[]): Promise<void> {
  await database.query("delete from administrators");
  await database.load(
    ...ownerIds.flatMap((id) => [organization(organizationOf(id)), user(id, organizationOf(id))]),
    ...owners.map((id) => entry(id, instance, "IAM_OWNER")),
  );
}

/** Who is IAM_OWNER, by user id. */
export async function ownersIn(database: TestDatabase): Promise<string[]> {
  const rows = await database.query<{ user_id: string }>(`
    select user_id from administrators
    where organization_id is null and project_id is null and project_grant_id is null and roles @> '{IAM_OWNER}'
    order by user_id`);
  return rows.map(({ user_id }) => user_id);
}

/** Every way in which one change takes an IAM_OWNER away. */
export const waysToGo: readonly (readonly [what: string, change: (userId: string) => object])[] = [
  ["its entry is removed", (userId) => remove({ administrator: { userId, ...instance } })],
  ["its entry is left without roles", (userId) => entry(userId, instance)],
  ["its entry gets other roles", (userId) => entry(userId, instance, "IAM_OWNER_VIEWER", "IAM_ORG_MANAGER")],
  ["the user is removed", (userId) => remove({ userId })],
  ["the user's organization is removed", (userId) => remove({ organizationId: organizationOf(userId) })],
];
