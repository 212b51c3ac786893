import type { MethodImpl } from "@connectrpc/connect";
import type { DirectoryService } from "../../../gen/service/directory/v1/directory_service_pb.ts";
import { ProjectsSearchFilterSchema } from "../../../gen/service/directory/v1/look_up_pb.ts";
import { scopesWith } from "../../authorization/permissions.ts";
import type { Assignable, FoundProject, LookUps, ProjectFilter } from "../../directory/look-ups.ts";
import { callerOf } from "../call.ts";
import type { PageLimits } from "../messages/page.ts";
import { askedLookUp, toFilter } from "./look-ups.ts";

export function listProjects(
  lookUps: Pick<LookUps, "listProjects" | "listAssignable">,
  limits: PageLimits,
): MethodImpl<typeof DirectoryService.method.listProjects> {
  return async (request, context) => {
    const caller = callerOf(context);
    const name = request.assignable ? "assignable projects" : "projects";
    const asked = askedLookUp(name, ProjectsSearchFilterSchema, request, limits);
    const query = { ...asked.query, filters: request.filters.map(toFilter<ProjectFilter>) };
    if (request.assignable) {
      const page = await lookUps.listAssignable(scopesWith(caller, "user.grant.write"), query, context.signal);
      return { pagination: asked.tell(page), projects: page.things.map(fromAssignable) };
    }
    const page = await lookUps.listProjects(caller, query, context.signal);
    return { pagination: asked.tell(page), projects: page.things.map(fromProject) };
  };
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
