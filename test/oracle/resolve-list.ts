import type { Filter, ListRequest } from "./model/list.ts";
import type { Authorization, World } from "./model/world.ts";
import type { Operation, PlannedFilter } from "./operations.ts";
import { idOf } from "./resolve.ts";

/** Makes the filters of a list from authorizations the caller may see, so that they often match some and not all. */
export function listRequestOf(
  world: World,
  callerId: string,
  { filters, ...rest }: Extract<Operation, { list: unknown }>["list"],
): ListRequest {
  return { ...rest, filters: filters.map((filter) => filterOf(world, callerId, filter)) };
}

function filterOf(world: World, callerId: string, filter: PlannedFilter): Filter {
  if ("targets" in filter) {
    const ids = filter.targets.map((target) => idOf(world, callerId, target));
    return { authorizationIds: { ids: [...new Set(ids)] } };
  }
  if (!("near" in filter)) return filter;
  const near = world.authorizations.get(idOf(world, callerId, filter.near));
  const { kind } = filter;
  const value = (near && textOf(world, near, kind, filter.from)) ?? "a";
  if (kind === "state") return { state: { state: near?.state ?? "STATE_ACTIVE" } };
  if (kind === "inUserIds") return { inUserIds: { ids: [value, "nobody"] } };
  const field = textFields[kind];
  if (field === undefined) return { [kind]: { id: value } } as Filter;
  return { [kind]: { [field]: pieceOf(filter, value) || "a", method: filter.method } } as Filter;
}

/** The filters that compare a text, and the field that holds it. */
const textFields: Record<string, string> = {
  userPreferredLoginName: "loginName",
  userDisplayName: "displayName",
  projectName: "name",
  roleKey: "key",
};

export const filterKinds = [
  ...["state", "inUserIds", "userId", "organizationId", "userOrganizationId", "projectId", "projectGrantId"],
  ...Object.keys(textFields),
];

function textOf(world: World, near: Authorization, kind: string, from: number): string | undefined {
  const user = world.users.get(near.userId);
  switch (kind) {
    case "inUserIds":
    case "userId":
      return near.userId;
    case "organizationId":
      return near.organizationId;
    case "userOrganizationId":
      return user?.organizationId;
    case "projectId":
      return near.projectId;
    case "projectGrantId":
      return near.projectGrantId;
    case "userPreferredLoginName":
      return user?.preferredLoginName;
    case "userDisplayName":
      return user?.displayName;
    case "projectName":
      return world.projects.get(near.projectId)?.name;
    default:
      return near.roleKeys[from % near.roleKeys.length];
  }
}

export type Piece = Omit<Extract<PlannedFilter, { near: unknown }>, "near" | "kind">;

/** The part of a text that the method looks at. */
export function pieceOf({ method, from, length, swapCase }: Piece, value: string): string {
  const letters = Array.from(swapCase ? swapped(value) : value);
  if (method.includes("EQUALS")) return letters.join("");
  if (method.includes("STARTS")) return letters.slice(0, length).join("");
  if (method.includes("ENDS")) return letters.slice(-length).join("");
  const start = from % (letters.length + 1);
  return letters.slice(start, start + length).join("");
}

/** The other case of every letter. */
function swapped(text: string): string {
  return Array.from(text, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  ).join("");
}
