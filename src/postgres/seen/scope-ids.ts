import type { Scope } from "../../authorization/permissions.ts";

/** The ids of scopes, by what they are of. */
export type ScopeIds = {
  /** Whether one of them is the instance. */
  readonly instance: boolean;
  readonly organizations: readonly string[];
  readonly projects: readonly string[];
  readonly grants: readonly string[];
};

export function scopeIds(scopes: readonly Scope[]): ScopeIds {
  return {
    instance: scopes.some((scope) => scope.kind === "instance"),
    organizations: scopes.flatMap((scope) => (scope.kind === "organization" ? [scope.organizationId] : [])),
    projects: scopes.flatMap((scope) => (scope.kind === "project" ? [scope.projectId] : [])),
    grants: scopes.flatMap((scope) => (scope.kind === "projectGrant" ? [scope.projectGrantId] : [])),
  };
}
