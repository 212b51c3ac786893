/** A request with a text put in one place, and how the place is called in JSON. */
export type Placed = { readonly rpc: string; readonly field: string; readonly request: (text: string) => object };

const id = "a1";

/** Every place of every request where a client can put a text. */
export const textPlaces: readonly Placed[] = [
  ...["authorizationIds", "inUserIds"].map((kind) =>
    filtered(`${kind}.ids[1]`, (text) => ({ [kind]: { ids: ["first", text] } })),
  ),
  ...["organizationId", "userOrganizationId", "projectId", "projectGrantId", "userId"].map((kind) =>
    filtered(`${kind}.id`, (text) => ({ [kind]: { id: text } })),
  ),
  filtered("userPreferredLoginName.loginName", (loginName) => ({ userPreferredLoginName: { loginName } })),
  filtered("userDisplayName.displayName", (displayName) => ({ userDisplayName: { displayName } })),
  filtered("projectName.name", (name) => ({ projectName: { name } })),
  filtered("roleKey.key", (key) => ({ roleKey: { key } })),
  ...["userId", "projectId", "organizationId"].map((name) => ({
    rpc: "CreateAuthorization",
    field: name,
    request: (text: string) => ({ userId: "ann", projectId: "shop", organizationId: "acme", [name]: text }),
  })),
  {
    rpc: "CreateAuthorization",
    field: "roleKeys[1]",
    request: (text) => ({ userId: "ann", projectId: "shop", organizationId: "acme", roleKeys: ["seller", text] }),
  },
  { rpc: "UpdateAuthorization", field: "roleKeys[1]", request: (text) => ({ id, roleKeys: ["seller", text] }) },
  ...["Update", "Delete", "Activate", "Deactivate"].map((verb) => ({
    rpc: `${verb}Authorization`,
    field: "id",
    request: (text: string) => ({ id: text }),
  })),
];

function filtered(field: string, filter: (text: string) => object): Placed {
  return {
    rpc: "ListAuthorizations",
    field: `filters[1].${field}`,
    request: (text) => ({ filters: [{ userId: { id: "ann" } }, filter(text)] }),
  };
}
