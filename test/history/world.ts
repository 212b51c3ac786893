import { role, user } from "../support/world.ts";
import type { Combination, DirectoryChange } from "./operation.ts";

/**
 * Home owns the projects Shop and Fair; Fair is granted to Guest. Few combinations are hot, so that calls on one
 * authorization really meet; many are cold. The directory changes in Fair alone, in one role.
 */

export const home = "home";
export const guest = "guest";
export const shop = "shop";
export const fair = "fair";
const fairToGuest = "fair-to-guest";

/** The role that comes and goes; see DirectoryChange. */
export const seasonal = "seasonal";
/** No project has it. */
export const noRole = "nobody";
const steadyRoles = ["auditor", "buyer", "clerk", "seller"];

export function rolesOf(projectId: string): readonly string[] {
  return projectId === fair ? [...steadyRoles, seasonal] : steadyRoles;
}

/** The only one that changes the directory, one change after the other. */
export const keeper = "keeper";

/** What a kind of caller may do on an authorization, its own aside. */
export type Rights = { readonly see: boolean; readonly write: boolean; readonly delete: boolean };

const all: Rights = { see: true, write: true, delete: true };
const none: Rights = { see: false, write: false, delete: false };

type Kind = {
  readonly scope: object;
  readonly role: string;
  readonly rights: (on: Combination) => Rights;
};

/** Of the clients the first has the first kind, and so on, and round again. */
const kinds: readonly Kind[] = [
  { scope: { instance: true }, role: "IAM_OWNER", rights: () => all },
  { scope: { organizationId: home }, role: "ORG_OWNER", rights: within(all, home) },
  { scope: { instance: true }, role: "IAM_USER_MANAGER", rights: () => all },
  { scope: { projectGrantId: fairToGuest }, role: "PROJECT_GRANT_OWNER", rights: within(all, guest, fair) },
  { scope: { instance: true }, role: "IAM_LOGIN_CLIENT", rights: () => ({ see: true, write: true, delete: false }) },
  { scope: { projectId: shop }, role: "PROJECT_OWNER", rights: within(all, home, shop) },
  { scope: { instance: true }, role: "IAM_ORG_MANAGER", rights: () => all },
  { scope: { organizationId: home }, role: "ORG_OWNER_VIEWER", rights: within({ ...none, see: true }, home) },
];

/** Rights in an organization, or in one project there alone. */
function within(rights: Rights, organizationId: string, projectId?: string): Kind["rights"] {
  return (on) => (on.organizationId === organizationId && (projectId ?? on.projectId) === on.projectId ? rights : none);
}

const clientPrefix = "client-";
export const clientName = (index: number) => `${clientPrefix}${index}`;

export function rightsOf(client: string, on: Combination): Rights {
  const index = Number(client.slice(clientPrefix.length));
  const rights = kinds[index % kinds.length]?.rights(on) ?? none;
  return on.userId === client ? { ...rights, see: true } : rights;
}

export type World = ReturnType<typeof buildWorld>;

/** The hot combinations are those of the first few clients themselves, so that some see only what is their own. */
export function buildWorld(clientCount: number, coldUsers: number) {
  const clients = Array.from({ length: clientCount }, (_, index) => clientName(index));
  const visitors = Array.from({ length: coldUsers }, (_, index) => `visitor-${index}`);
  const hot = clients.slice(0, 6).flatMap((userId, index) => {
    const here = combination(userId, shop, home);
    return index % 2 === 0 ? [here, combination(userId, fair, home)] : [here, combination(userId, fair, guest)];
  });
  const cold = visitors.flatMap((userId, index) =>
    index % 2 === 0
      ? [combination(userId, shop, home), combination(userId, fair, home)]
      : [combination(userId, shop, home), combination(userId, fair, guest)],
  );
  // For import, as one change of state.
  const changes = [
    ...[home, guest].map((id) => ({ organization: { id, name: id } })),
    ...[...clients, ...visitors, keeper].map((id, index) => user(id, index % 3 === 0 ? guest : home)),
    ...[shop, fair].map((id) => ({ project: { id, organizationId: home, name: id } })),
    ...[shop, fair].flatMap((id) => rolesOf(id).map((key) => role(id, key))),
    grantWith(rolesOf(fair)),
    ...clients.map((userId, index) => {
      const { scope, role: name } = kinds[index % kinds.length] as Kind;
      return { administrator: { userId, ...scope, roles: [name] } };
    }),
    { administrator: { userId: keeper, instance: true, roles: ["IAM_OWNER"] } },
  ];
  return { clients, hot, cold, changes };
}

export function combination(userId: string, projectId: string, organizationId: string): Combination {
  return { key: `${userId} in ${projectId} of ${organizationId}`, userId, projectId, organizationId };
}

/** The change that sets which roles Guest may use. */
function grantWith(roleKeys: readonly string[]): object {
  return { projectGrant: { id: fairToGuest, projectId: fair, organizationId: guest, roleKeys } };
}

/** The changes of a request for each change of the seasonal role. */
export const seasonalChanges: Readonly<Record<DirectoryChange, object>> = {
  "remove role": { remove: { projectRole: { projectId: fair, key: seasonal } } },
  "add role": role(fair, seasonal),
  "grant key": grantWith(rolesOf(fair)),
  "take key": grantWith(steadyRoles),
};
