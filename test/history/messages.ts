import { toRfc3339 } from "../../src/authorization/instant.ts";
import type { Combination, DirectoryChange, ListCall, Moment, Request } from "./operation.ts";
import { seasonalChanges } from "./world.ts";

/** What is sent, and where to. */
export type Message = { readonly rpc: string; readonly message: object };

export function messageOf(request: Request, on: Combination): Message {
  const { userId, projectId, organizationId } = on;
  if (request.kind === "create") {
    const message = { userId, projectId, organizationId, roleKeys: keys(request.roles), ...ending(request) };
    return { rpc: "CreateAuthorization", message };
  }
  if (request.kind === "read") {
    const filters =
      request.id === undefined
        ? [{ userId: { id: userId } }, { projectId: { id: projectId } }, { organizationId: { id: organizationId } }]
        : [{ authorizationIds: { ids: [request.id] } }];
    return { rpc: "ListAuthorizations", message: { filters } };
  }
  const message = {
    id: request.id,
    ...(request.kind === "update" ? { roleKeys: keys(request.roles), ...ending(request) } : {}),
    ...(request.ifUnchangedSince === undefined ? {} : { ifUnchangedSince: printed(request.ifUnchangedSince) }),
  };
  const verb = { update: "Update", delete: "Delete", activate: "Activate", deactivate: "Deactivate" }[request.kind];
  return { rpc: `${verb}Authorization`, message };
}

/** A page of the list of a scope. */
export function listMessage(scope: ListCall["scope"]): Message {
  const filters = [
    ...(scope.projectId === undefined ? [] : [{ projectId: { id: scope.projectId } }]),
    ...(scope.organizationId === undefined ? [] : [{ organizationId: { id: scope.organizationId } }]),
    ...(scope.state === undefined ? [] : [{ state: { state: `STATE_${scope.state.toUpperCase()}` } }]),
    ...(scope.role === undefined ? [] : [{ roleKey: { key: scope.role, method: "TEXT_FILTER_METHOD_EQUALS" } }]),
  ];
  const message = { filters, pagination: { offset: scope.offset, limit: scope.limit } };
  return { rpc: "ListAuthorizations", message };
}

function keys(roles: string): string[] {
  return roles === "" ? [] : roles.split(",");
}

function ending({ expirationDate }: { expirationDate?: Moment | "none" | undefined }): object {
  if (expirationDate === undefined) return {};
  return expirationDate === "none" ? { removeExpiration: true } : { expirationDate: printed(expirationDate) };
}

function printed(moment: Moment): string {
  return toRfc3339(BigInt(moment));
}

export function directoryMessage(change: DirectoryChange): Message {
  return { rpc: "directory.v1.DirectoryService/ApplyChanges", message: { changes: [seasonalChanges[change]] } };
}
