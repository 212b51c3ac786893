import type { HandlerContext, MethodImpl } from "@connectrpc/connect";
import type { DirectoryService } from "../../gen/service/directory/v1/directory_service_pb.ts";
import {
  type ListProjectsRequest,
  type ProjectsSearchFilter,
  ProjectsSearchFilterSchema,
} from "../../gen/service/directory/v1/look_up_pb.ts";
import { scopesWith, visibilityOf } from "../authorization/permissions.ts";
import type { Assignable, FoundProject, LookUps, ProjectFilter } from "../directory/look-ups.ts";
import type { PageLimits } from "./asked-page.ts";
import { callerOf } from "./caller.ts";
import { askedLookUp } from "./look-ups.ts";
import { toTextMatch } from "./messages.ts";

export function listProjects(
  lookUps: Pick<LookUps, "listProjects" | "listAssignable">,
  limits: PageLimits,
): MethodImpl<typeof DirectoryService.method.listProjects> {
  return (request, context) =>
    request.assignable
      ? listAssignable(lookUps, limits, request, context)
      : listVisible(lookUps, limits, request, context);
}

async function listVisible(
  lookUps: Pick<LookUps, "listProjects">,
  limits: PageLimits,
  request: ListProjectsRequest,
  context: HandlerContext,
) {
  const asked = askedLookUp("projects", ProjectsSearchFilterSchema, request, limits);
  const query = { ...asked.query, filters: request.filters.map(toFilter) };
  const page = await lookUps.listProjects(visibilityOf(callerOf(context)), query, context.signal);
  return { pagination: asked.tell(page), projects: page.things.map(fromProject) };
}

async function listAssignable(
  lookUps: Pick<LookUps, "listAssignable">,
  limits: PageLimits,
  request: ListProjectsRequest,
  context: HandlerContext,
) {
  const asked = askedLookUp("assignable projects", ProjectsSearchFilterSchema, request, limits);
  const query = { ...asked.query, filters: request.filters.map(toFilter) };
  const scopes = scopesWith(callerOf(context), "user.grant.write");
  const page = await lookUps.listAssignable(scopes, query, context.signal);
  return { pagination: asked.tell(page), projects: page.things.map(fromAssignable) };
}

function fromProject({ roles, grants, ...project }: FoundProject) {
  return {
    ...project,
    roles: [...roles],
    grants: grants.map(({ roleKeys, ...grant }) => ({ ...grant, roleKeys: [...roleKeys] })),
  };
}

function fromAssignable({ roles, place, ...project }: Assignable) {
  return { ...project, roles: [...roles], assignableIn: place };
}

/** The filter must have passed validation. */
function toFilter({ filter }: ProjectsSearchFilter): ProjectFilter {
  switch (filter.case) {
    case "ids":
      return { kind: "ids", ids: filter.value.ids };
    case "name":
      return { kind: "name", match: toTextMatch(filter.value.text, filter.value.method) };
    case "inOrganizationId":
      return { kind: "organizationId", id: filter.value.id };
    case undefined:
      throw new Error("a filter without a kind passed validation");
  }
}
