import { fold, type ListRequest, pageOf, paginationOf, textMatches } from "./list.ts";
import { entriesWith, holds, sees } from "./permissions.ts";
import {
  type Authorization,
  compareTexts,
  type Organization,
  type Place,
  type Project,
  type ProjectGrant,
  placeOf,
  type User,
  type World,
} from "./world.ts";

/** The JSON body of any of the three requests. */
export type LookUpRequest = {
  pagination?: ListRequest["pagination"];
  filters?: LookUpFilter[];
  assignable?: boolean;
};

type Wanted = { text: string; method: string };

export type LookUpFilter =
  | { ids: { ids: string[] } }
  | { [kind in "inOrganizationId" | "organizationId"]?: { id: string } }
  | { search: { text: string } }
  | { [kind in "name" | "displayName" | "preferredLoginName"]?: Wanted };

/** The bodies the service is to answer with. */

export function listOrganizations(world: World, callerId: string, request: LookUpRequest): object {
  const view = viewOf(world, callerId);
  const all = [...world.organizations.values()].filter((one) => seesOrganization(world, view, one));
  const { rows, pagination } = lookUp(request, all, matchesNamed, ({ name, id }) => [fold(name), id]);
  return { pagination, organizations: rows };
}

export function listProjects(world: World, callerId: string, request: LookUpRequest): object {
  if (request.assignable) return listAssignable(world, callerId, request);
  const view = viewOf(world, callerId);
  const all = [...world.projects.values()].filter((one) => seesProject(world, view, one));
  const matches = (project: Project, filter: LookUpFilter) => {
    if (!("inOrganizationId" in filter)) return matchesNamed(project, filter);
    const granted = concerning(world, view, project).map(({ organizationId }) => organizationId);
    return [project.organizationId, ...granted].includes(filter.inOrganizationId?.id ?? "");
  };
  const { rows, pagination } = lookUp(request, all, matches, ({ name, id }) => [fold(name), id]);
  return { pagination, projects: rows.map((project) => listedProject(world, view, project)) };
}

export function listUsers(world: World, callerId: string, request: LookUpRequest): object {
  const writes = entriesWith(world, callerId, "write").length > 0;
  const finds = writes && (request.filters ?? []).some(namesExactly);
  const view = viewOf(world, callerId);
  const all = [...world.users.values()].filter((user) => finds || seesUser(view, user));
  const { rows, pagination } = lookUp(request, all, matchesUser, ({ displayName, id }) => [fold(displayName), id]);
  return { pagination, users: rows };
}

function listAssignable(world: World, callerId: string, request: LookUpRequest): object {
  const all = [...world.projects.values()].flatMap((project) =>
    [...world.organizations.values()].flatMap((organization) => {
      const place = placeOf(world, project.id, organization.id);
      return place !== undefined && holds(world, callerId, "write", place) ? [{ project, organization, place }] : [];
    }),
  );
  type Row = (typeof all)[number];
  const matches = ({ project, organization }: Row, filter: LookUpFilter) =>
    "inOrganizationId" in filter ? filter.inOrganizationId?.id === organization.id : matchesNamed(project, filter);
  const keyOf = ({ project, organization }: Row) => [fold(project.name), project.id, organization.id];
  const { rows, pagination } = lookUp(request, all, matches, keyOf);
  const projects = rows.map(({ project, organization, place }) => ({
    ...project,
    ...listedRoles(world, project, (key) => place.projectGrantId === "" || grantHas(world, place, key)),
    grants: [],
    totalGrants: 0,
    assignableIn: organization,
    projectGrantId: place.projectGrantId,
  }));
  return { pagination, projects };
}

function grantHas(world: World, { projectGrantId }: Place, key: string): boolean {
  return world.projectGrants.get(projectGrantId)?.roleKeys.includes(key) ?? false;
}

/** Filters, sorts from A to Z and cuts out the page. */
function lookUp<Thing>(
  { pagination: asked, filters = [] }: LookUpRequest,
  all: readonly Thing[],
  matches: (thing: Thing, filter: LookUpFilter) => boolean,
  keyOf: (thing: Thing) => string[],
) {
  const { offset, limit, skipTotal } = pageOf(asked);
  const matching = all.filter((thing) => filters.every((filter) => matches(thing, filter)));
  const sorted = matching.toSorted((one, other) => {
    const [left, right] = [keyOf(one), keyOf(other)];
    return left.reduce((order, part, index) => order || compareTexts(part, right[index] ?? ""), 0);
  });
  return {
    rows: sorted.slice(offset, offset + limit),
    pagination: paginationOf(sorted.length, offset, limit, skipTotal),
  };
}

function matchesNamed({ id, name }: { id: string; name: string }, filter: LookUpFilter): boolean {
  if ("ids" in filter) return filter.ids.ids.includes(id);
  if ("search" in filter) return hasWords(name, filter.search.text);
  if ("name" in filter && filter.name !== undefined) return compares(filter.name, name);
  throw new Error(`the model knows no filter ${JSON.stringify(filter)}`);
}

function matchesUser({ id, organizationId, displayName, preferredLoginName }: User, filter: LookUpFilter): boolean {
  if ("ids" in filter) return filter.ids.ids.includes(id);
  const [[kind, value] = ["", {}]]: [string, any][] = Object.entries(filter);
  switch (kind) {
    case "organizationId":
      return value.id === organizationId;
    case "displayName":
      return compares(value, displayName);
    case "preferredLoginName":
      return compares(value, preferredLoginName);
    case "name":
      return compares(value, displayName) || compares(value, preferredLoginName);
    case "search":
      return hasWords(`${displayName} ${preferredLoginName}`, value.text);
    default:
      throw new Error(`the model knows no filter ${kind}`);
  }
}

function compares({ text, method }: Wanted, whole: string): boolean {
  return textMatches(method, whole, text);
}

function hasWords(whole: string, text: string): boolean {
  const [words, wanted] = [wordsOf(whole), wordsOf(text)];
  return wanted.length > 0 && wanted.every((start) => words.some((word) => word.startsWith(start)));
}

/** Folded, without accents, and split at spaces and punctuation. */
function wordsOf(text: string): string[] {
  const plain = fold(text.normalize("NFD")).replaceAll(/[\u0300-\u036f]/g, "");
  const between = /[\0-/:-@[-`{-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb-\u00bf\u2000-\u206f\u3000-\u3003]+/;
  return plain.split(between).filter((word) => word !== "");
}

/** By one id, or by the whole login name in its own case. */
function namesExactly(filter: LookUpFilter): boolean {
  if ("ids" in filter) return filter.ids.ids.length === 1;
  return "preferredLoginName" in filter && filter.preferredLoginName?.method === "TEXT_FILTER_METHOD_EQUALS";
}

/** The scopes in which a caller may read, those in which it may change grants, and the authorizations it sees. */
type View = {
  readonly scopes: readonly any[];
  readonly granting: readonly any[];
  readonly seen: readonly Authorization[];
};

function viewOf(world: World, callerId: string): View {
  return {
    scopes: entriesWith(world, callerId, "read").map(({ scope }) => scope),
    granting: entriesWith(world, callerId, "grant").map(({ scope }) => scope),
    seen: [...world.authorizations.values()].filter((authorization) => sees(world, callerId, authorization)),
  };
}

function seesOrganization(world: World, { scopes, seen }: View, { id }: Organization): boolean {
  return (
    scopes.some(
      (scope) =>
        scope.instance ||
        scope.organizationId === id ||
        world.projects.get(scope.projectId)?.organizationId === id ||
        world.projectGrants.get(scope.projectGrantId)?.organizationId === id,
    ) || seen.some(({ organizationId }) => organizationId === id)
  );
}

function seesProject(world: World, { scopes, seen }: View, { id, organizationId }: Project): boolean {
  const isGrantedTo = (to: string) =>
    [...world.projectGrants.values()].some((grant) => grant.projectId === id && grant.organizationId === to);
  return (
    scopes.some(
      (scope) =>
        scope.instance ||
        scope.projectId === id ||
        scope.organizationId === organizationId ||
        isGrantedTo(scope.organizationId) ||
        world.projectGrants.get(scope.projectGrantId)?.projectId === id,
    ) || seen.some(({ projectId }) => projectId === id)
  );
}

function seesUser({ scopes, seen }: View, { id, organizationId }: User): boolean {
  return (
    scopes.some((scope) => scope.instance || scope.organizationId === organizationId) ||
    seen.some(({ userId }) => userId === id)
  );
}

/** The grants of a project that concern the caller. */
function concerning(world: World, { scopes, granting, seen }: View, project: Project): ProjectGrant[] {
  const isGranting = granting.some(
    (scope) => scope.projectId === project.id || scope.organizationId === project.organizationId,
  );
  return [...world.projectGrants.values()]
    .filter(({ projectId }) => projectId === project.id)
    .filter(
      ({ id, organizationId }) =>
        isGranting ||
        scopes.some(
          (scope) => scope.instance || scope.organizationId === organizationId || scope.projectGrantId === id,
        ) ||
        seen.some(({ projectGrantId }) => projectGrantId === id),
    )
    .sort((one, other) => compareTexts(one.id, other.id));
}

function listedProject(world: World, view: View, project: Project): object {
  const { scopes, seen } = view;
  const grants = concerning(world, view, project);
  const isOnOwnersSide =
    scopes.some(
      (scope) => scope.instance || scope.organizationId === project.organizationId || scope.projectId === project.id,
    ) ||
    seen.some(({ projectId, organizationId }) => projectId === project.id && organizationId === project.organizationId);
  const isKnown = (key: string) => isOnOwnersSide || grants.some(({ roleKeys }) => roleKeys.includes(key));
  return {
    ...project,
    ...listedRoles(world, project, isKnown),
    grants: grants.map(({ id, organizationId, roleKeys }) => ({
      id,
      organization: world.organizations.get(organizationId),
      roleKeys: [...roleKeys].sort(compareTexts),
    })),
    totalGrants: grants.length,
    projectGrantId: "",
  };
}

function listedRoles(world: World, project: Project, isKnown: (key: string) => boolean) {
  const roles = [...world.projectRoles.values()]
    .filter(({ projectId, key }) => projectId === project.id && isKnown(key))
    .sort((one, other) => compareTexts(one.key, other.key))
    .map(({ key, displayName, group, description = "" }) => ({ key, displayName, group, description }));
  return { roles, totalRoles: roles.length };
}
