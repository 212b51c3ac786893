import type { MessageInitShape } from "@bufbuild/protobuf";
import type { PermissionScopeSchema } from "../../../gen/service/authorization/v2/caller_service_pb.ts";
import type { NamedScope, PermissionAccess, Source } from "../../authorization/access.ts";

/** Converts access to messages. */

export function fromSource({ scope, roles, ...limits }: Source) {
  return { ...limits, scope: fromScope(scope), roles: [...roles] };
}

export function fromPermissionAccess({ sources, missing, ...access }: PermissionAccess) {
  return { ...access, sources: sources.map(fromSource), missing: missing.map(fromSource) };
}

export function fromScope(named: NamedScope): MessageInitShape<typeof PermissionScopeSchema> {
  switch (named.kind) {
    case "instance":
      return { scope: { case: named.kind, value: true } };
    case "organization":
      return { scope: { case: named.kind, value: named.organization } };
    case "project":
      return { scope: { case: named.kind, value: named.project } };
    case "projectGrant": {
      const { kind, ...value } = named;
      return { scope: { case: kind, value } };
    }
  }
}
