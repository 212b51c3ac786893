/**
 * A small world most tests share: Acme owns the projects Shop and Depot; Shop is granted to Globex and Initech.
 * Everybody who may do anything has a token.
 */
export const smallWorld: readonly object[] = [
  { organization: { id: "acme", name: "Acme" } },
  { organization: { id: "globex", name: "Globex" } },
  { organization: { id: "initech", name: "Initech" } },
  user("ann", "acme"),
  user("adam", "acme"),
  user("bob", "globex"),
  user("bea", "globex"),
  user("cid", "initech"),
  user("root", "acme"),
  user("nobody", "initech"),
  { project: { id: "shop", organizationId: "acme", name: "Shop" } },
  { project: { id: "depot", organizationId: "acme", name: "Depot" } },
  role("shop", "seller", "Seller", "staff"),
  role("shop", "auditor", "Auditor", "control"),
  role("shop", "owner", "Owner", ""),
  role("depot", "keeper", "Keeper", "staff"),
  {
    projectGrant: {
      id: "shop-to-globex",
      projectId: "shop",
      organizationId: "globex",
      roleKeys: ["seller", "auditor"],
    },
  },
  { projectGrant: { id: "shop-to-initech", projectId: "shop", organizationId: "initech", roleKeys: ["seller"] } },
  { administrator: { userId: "root", instance: true, roles: ["IAM_OWNER"] } },
  authorization("a1", "ann", "shop", "acme", ["seller", "owner"], "2024-01-01T00:00:00Z"),
  authorization("a2", "adam", "shop", "acme", ["auditor"], "2024-01-02T00:00:00.5Z"),
  authorization("a3", "adam", "depot", "acme", [], "2024-01-03T00:00:00.000001Z"),
  authorization("a4", "bob", "shop", "globex", ["auditor", "seller"], "2024-01-04T00:00:00Z"),
  authorization("a5", "bea", "shop", "globex", ["seller"], "2024-01-05T00:00:00Z", "STATE_INACTIVE"),
  authorization("a6", "bob", "shop", "initech", ["seller"], "2024-01-06T00:00:00Z"),
];

/** For a database that is there already; `createSmallWorld` makes one with the small world in it, which is much faster. */
export async function loadSmallWorld(database: { load(...changes: object[]): Promise<void> }): Promise<void> {
  await database.load(...smallWorld);
}

export function user(id: string, organizationId: string, displayName = `${id} of ${organizationId}`) {
  return { user: person(id, organizationId, displayName) };
}

/** The same as answers show it. */
export function person(id: string, organizationId: string, displayName = `${id} of ${organizationId}`) {
  return { id, organizationId, preferredLoginName: `${id}@${organizationId}.example`, displayName, avatarUrl: "" };
}

export function role(projectId: string, key: string, displayName = "", group = ""): object {
  return { projectRole: { projectId, key, displayName, group } };
}

export function authorization(
  id: string,
  userId: string,
  projectId: string,
  organizationId: string,
  roleKeys: string[],
  date: string,
  state = "STATE_ACTIVE",
): object {
  return {
    authorization: { id, userId, projectId, organizationId, roleKeys, state, creationDate: date, changeDate: date },
  };
}
