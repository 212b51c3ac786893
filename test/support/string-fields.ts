import { idKinds, listFields, textFields } from "./list-requests.ts";

/** A request with a text put in one place, and how the place is called in JSON. */
export type Placed = { readonly rpc: string; readonly field: string; readonly request: (text: string) => object };

const id = "a1";

/** Every place of every request where a client can put a text. */
export const textPlaces: readonly Placed[] = [
  ...Object.entries(listFields).map(([kind, field]) =>
    filtered(`${kind}.${field}[1]`, (text) => ({ [kind]: { [field]: ["first", text] } })),
  ),
  ...idKinds.map((kind) => filtered(`${kind}.id`, (text) => ({ [kind]: { id: text } }))),
  ...Object.entries(textFields).map(([kind, field]) =>
    filtered(`${kind}.${field}`, (text) => ({ [kind]: { [field]: text } })),
  ),
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
