import { type Authorization, CallerService, type GetCallerResponse } from "@authorization-service/client";
import { useQuery } from "@connectrpc/connect-query";
import { unlessJustAnswered } from "./session/queries.ts";

export type Permission = "user.grant.read" | "user.grant.write" | "user.grant.delete";

/** The person who is signed in, with their permissions; undefined until the service has answered. */
export function useCaller(): GetCallerResponse | undefined {
  return useQuery(CallerService.method.getCaller, {}, { refetchOnMount: unlessJustAnswered }).data;
}

/**
 * Whether the caller holds the permission on an authorization (docs/reference/permissions.md). The console doesn't
 * offer changes without permission. The service decides again with every change.
 */
export function may(
  caller: GetCallerResponse | undefined,
  permission: Permission,
  { organization, project }: Authorization,
): boolean {
  // The service doesn't list all of a thousand entries. Any of the others could reach the assignment.
  if (heldOf(caller, permission)?.moreSources) return true;
  return sourcesOf(caller, permission).some(({ scope }) => {
    switch (scope?.scope.case) {
      case "instance":
        return true;
      case "organization":
        return scope.scope.value.id === organization?.id;
      case "project":
        return scope.scope.value.id === project?.id && project.organizationId === organization?.id;
      case "projectGrant": {
        const grant = scope.scope.value;
        return grant.project?.id === project?.id && grant.organization?.id === organization?.id;
      }
      default:
        return false;
    }
  });
}

/** Whether the caller holds the permission in any scope. */
export function maySomewhere(caller: GetCallerResponse | undefined, permission: Permission): boolean {
  return sourcesOf(caller, permission).length > 0;
}

function sourcesOf(caller: GetCallerResponse | undefined, permission: Permission) {
  return heldOf(caller, permission)?.sources ?? [];
}

function heldOf(caller: GetCallerResponse | undefined, permission: Permission) {
  return caller?.permissions.find((held) => held.permission === permission);
}
