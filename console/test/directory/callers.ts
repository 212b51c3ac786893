import {
  type AdministratorRole,
  gives,
  isLimited,
  permissions,
  permissionsOfRole,
} from "../../../src/authorization/permissions.ts";
import type { FakeService } from "../support/console.tsx";
import { acme, globex, shop } from "./world.ts";

const { id, name, organizationId } = shop;
const project = { id, name, organizationId };

const scopes = {
  instance: { case: "instance", value: true },
  acme: { case: "organization", value: acme },
  globex: { case: "organization", value: globex },
  shop: { case: "project", value: project },
  grant: { case: "projectGrant", value: { id: "g-1", project, organization: globex } },
} as const;

export const reader = { id: "u-reader", displayName: "Reader", organizationId: "acme" };

const administratorRoles = Object.entries(permissionsOfRole).map(([role, permissions]) => ({
  role,
  permissions: [...permissions],
}));

/** What GetCaller answers to someone with these roles in one scope. */
export function callerWith(scope: keyof typeof scopes, ...roles: AdministratorRole[]) {
  return {
    user: reader,
    administratorRoles,
    permissions: permissions
      .map((permission) => ({ permission, giving: roles.filter((role) => gives(role, permission)) }))
      .filter(({ giving }) => giving.length > 0)
      .map(({ permission, giving }) => {
        const limits = giving.every((role) => isLimited(role, permission)) ? { limited: true } : {};
        return { permission, sources: [{ scope: { scope: scopes[scope] }, roles: giving, ...limits }] };
      }),
  };
}

/** The service, asked by someone with these roles. */
export function askedBy(service: FakeService, scope: keyof typeof scopes, ...roles: AdministratorRole[]): FakeService {
  return { ...service, caller: { getCaller: () => callerWith(scope, ...roles) } };
}
