/** Lines about the history as an export writes them, for a world in which acme owns the shop that globex was granted. */

const time = "2026-01-05T00:00:00.000001Z";
const requestId = "3b241101-e2bb-4255-8caf-4136c566a962";

const acme = { kind: "organization", id: "acme" };
const globex = { kind: "organization", id: "globex" };
const shop = { kind: "project", id: "shop" };
const shopToGlobex = { kind: "projectGrant", id: "shop-to-globex" };

/** An event of an assignment. Without fields, one that was added. */
export function eventLine(sequence: string, fields: object = {}) {
  return {
    event: {
      ...{
        sequence,
        time: `2026-01-05T00:00:00.${sequence.slice(-6)}Z`,
        type: "user.grant.added",
        actorId: null,
        authorizationId: "x",
        userId: "ann",
      },
      ...{ projectId: "shop", organizationId: "acme", projectGrantId: "", roleKeys: ["auditor", "seller"] },
      ...{ state: "active", creationDate: time, roleKeysBefore: [], stateBefore: null, creationDateBefore: null },
      ...{ projectIdBefore: null, organizationIdBefore: null, requestId, reason: "" },
      ...fields,
    },
  };
}

const before = { roleKeysBefore: ["seller"], stateBefore: "active", creationDateBefore: time };
const removed = { roleKeys: [], state: null, creationDate: null };

/** An event of each type. */
export const events = [
  {},
  { ...before, projectIdBefore: "depot", organizationIdBefore: "globex", actorId: "root", reason: "moved" },
  { type: "user.grant.changed", ...before, projectGrantId: "shop-to-globex" },
  { type: "user.grant.deactivated", ...before, state: "inactive" },
  { type: "user.grant.reactivated", ...before, stateBefore: "inactive" },
  { type: "user.grant.removed", ...before, ...removed },
  { type: "user.grant.cascade.changed", ...before, roleKeys: [] },
  { type: "user.grant.cascade.removed", ...before, ...removed },
];

/** An event of the directory. Without fields, a role that was added. */
export function directoryEventLine(sequence: string, fields: object = {}) {
  const role = { projectId: "shop", key: "seller", displayName: "Seller", group: "staff" };
  return {
    directoryEvent: {
      ...{ sequence, time, kind: "projectRole", id: "seller", within: "shop", userId: null, actorId: null },
      ...{ requestId, reason: "", before: null, after: role, places: [acme, shop] },
      ...fields,
    },
  };
}

const organization = { id: "acme", name: "Acme" };
const user = {
  ...{ id: "ann", organizationId: "acme", preferredLoginName: "ann@acme.example", displayName: "Ann" },
  avatarUrl: "https://acme.example/ann.png",
};
const project = { id: "shop", organizationId: "acme", name: "Shop" };
const grant = { id: "shop-to-globex", projectId: "shop", organizationId: "globex", roleKeys: ["auditor", "seller"] };
const entry = { userId: "ann", organizationId: "acme", roles: ["ORG_OWNER", "ORG_OWNER_VIEWER"] };
const token = {
  ...{ id: "t", name: "for the backup", userId: "ann", makerId: "root" },
  ...{ creationDate: time, expirationDate: "2026-02-05T00:00:00.000001Z" },
};
const entryIn = (within: string, image: object, places: object[]) => ({
  ...{ kind: "administrator", id: "ann", userId: "ann", within, before: null, after: image, places },
});

/** Events of each kind of thing: added, changed and removed, and of entries in each kind of scope. */
export const directoryEvents = [
  {},
  { kind: "organization", id: "acme", within: "", after: organization, places: [acme] },
  { kind: "organization", id: "acme", within: "", before: organization, after: null, places: [acme] },
  {
    ...{ kind: "user", id: "ann", within: "", userId: "ann", before: user, actorId: "root", reason: "moved" },
    ...{ after: { ...user, organizationId: "globex" }, places: [acme, globex] },
  },
  { kind: "project", id: "shop", within: "", before: project, after: { ...project, name: "S" }, places: [acme, shop] },
  {
    ...{
      kind: "projectGrant",
      id: "shop-to-globex",
      within: "",
      before: grant,
      places: [acme, globex, shop, shopToGlobex],
    },
    after: { ...grant, roleKeys: ["seller"] },
  },
  entryIn("organization:acme", entry, [acme]),
  entryIn("instance:", { userId: "ann", instance: true, roles: ["IAM_OWNER"] }, []),
  entryIn("project:shop", { userId: "ann", projectId: "shop", roles: ["PROJECT_OWNER"] }, [acme, shop]),
  entryIn(
    "projectGrant:shop-to-globex",
    { userId: "ann", projectGrantId: "shop-to-globex", roles: ["PROJECT_GRANT_OWNER"] },
    [globex, shopToGlobex],
  ),
  { kind: "token", id: "t", within: "", userId: "ann", before: token, after: null, places: [] },
];

export function removedThingLine(id: string, fields: object = {}) {
  return {
    removedThing: {
      kind: "user",
      id,
      organizationId: "acme",
      lastEvent: "2026010000000001",
      lastDirectoryEvent: "0",
      ...fields,
    },
  };
}
