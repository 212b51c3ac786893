import { printDate } from "./model/dates.ts";
import type { Filter, ListRequest } from "./model/list.ts";
import type { OverviewRequest } from "./model/overview.ts";
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

export function overviewRequestOf(
  world: World,
  callerId: string,
  { filters, ...rest }: Extract<Operation, { overview: unknown }>["overview"],
): OverviewRequest {
  return { ...rest, filters: filters.map((filter) => filterOf(world, callerId, filter)) };
}

function filterOf(world: World, callerId: string, filter: PlannedFilter): Filter {
  const each = (filters: PlannedFilter[]) => filters.map((one) => filterOf(world, callerId, one));
  if ("anyOfPlanned" in filter) return { anyOf: { filters: each(filter.anyOfPlanned) } };
  if ("allOfPlanned" in filter) return { allOf: { filters: each(filter.allOfPlanned) } };
  if ("notPlanned" in filter) return { not: filterOf(world, callerId, filter.notPlanned) };
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
  if (kind === "projectIds") return { projectIds: { ids: [value, "nowhere"] } };
  if (kind === "roleKeys") return { roleKeys: { keys: [value, "no key"] } };
  if (kind === "created") return { created: rangeAround(near?.creationDate ?? 0n, filter) };
  if (kind === "changed") return { changed: rangeAround(near?.changeDate ?? 0n, filter) };
  const field = textFields[kind];
  if (field === undefined) return { [kind]: { id: value } } as Filter;
  return { [kind]: { [field]: pieceOf(filter, value) || "a", method: filter.method } } as Filter;
}

/** The filters that compare a text, and the field that holds it. */
const textFields: Record<string, string> = {
  userPreferredLoginName: "loginName",
  userDisplayName: "displayName",
  projectName: "name",
  organizationName: "name",
  roleKey: "key",
};

export const filterKinds = [
  ...["state", "inUserIds", "userId", "organizationId", "userOrganizationId", "projectId", "projectGrantId"],
  ...["projectIds", "roleKeys", "created", "changed"],
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
    case "projectIds":
      return near.projectId;
    case "projectGrantId":
      return near.projectGrantId;
    case "userPreferredLoginName":
      return user?.preferredLoginName;
    case "userDisplayName":
      return user?.displayName;
    case "projectName":
      return world.projects.get(near.projectId)?.name;
    case "organizationName":
      return world.organizations.get(near.organizationId)?.name;
    case "roleKey":
    case "roleKeys":
      return near.roleKeys[from % near.roleKeys.length];
    case "created":
    case "changed":
    case "state":
      return undefined;
    default:
      throw new Error(`add what the filter ${kind} compares`);
  }
}

export type Piece = Omit<Extract<PlannedFilter, { near: unknown }>, "near" | "kind">;

/** Ends that lie on the date, a microsecond before or after it, or a nanosecond after it; either may be missing. */
function rangeAround(date: bigint, { from, length, swapCase }: Piece): { from?: string; to?: string } {
  const place = (microseconds: bigint) => {
    const text = printDate(microseconds);
    if (!swapCase) return text;
    const [seconds = "", fraction = ""] = text.slice(0, -1).split(".");
    return `${seconds}.${fraction.padEnd(6, "0")}001Z`;
  };
  const first = place(date - BigInt(from % 2));
  if (length === 1) return { from: first };
  const last = place(date + BigInt(from % 3));
  return length === 2 ? { to: last } : { from: first, to: last };
}

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
