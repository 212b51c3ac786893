import type {
  PermissionExplanation,
  PermissionScope,
  PermissionSource,
} from "../../../gen/service/authorization/v2/caller_service_pb.ts";
import type { NamedScope, PermissionAccess, Source } from "../../authorization/access.ts";
import { fromOrganization, fromProject } from "./authorizations.ts";

/** Converts access to messages. They are complete, so the library copies nothing into them. */

export function fromSource({ scope, roles, limited }: Source): PermissionSource {
  const source = { scope: fromScope(scope), roles: [...roles] };
  const limits = limited === undefined ? {} : { limited };
  return { $typeName: "service.authorization.v2.PermissionSource", ...source, ...limits };
}

export function fromPermissionAccess(access: PermissionAccess): PermissionExplanation {
  return {
    $typeName: "service.authorization.v2.PermissionExplanation",
    ...access,
    sources: access.sources.map(fromSource),
    missing: access.missing.map(fromSource),
  };
}

export function fromScope(named: NamedScope): PermissionScope {
  return { $typeName: "service.authorization.v2.PermissionScope", scope: scopeOf(named) };
}

function scopeOf(named: NamedScope): PermissionScope["scope"] {
  switch (named.kind) {
    case "instance":
      return { case: "instance", value: true };
    case "organization":
      return { case: "organization", value: fromOrganization(named.organization) };
    case "project":
      return { case: "project", value: fromProject(named.project) };
    case "projectGrant":
      return {
        case: "projectGrant",
        value: {
          $typeName: "service.authorization.v2.ProjectGrant",
          id: named.id,
          project: fromProject(named.project),
          organization: fromOrganization(named.organization),
        },
      };
  }
}
