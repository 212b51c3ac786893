import { permissionsOfRole } from "../../src/directory/administrator-roles.ts";
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

/** What GetCaller answers to someone with these roles in one scope. */
export function callerWith(scope: keyof typeof scopes, ...roles: string[]) {
  const permissions = [...new Set(roles.flatMap((role) => permissionsOfRole[role] ?? []))];
  return {
    user: reader,
    permissions: permissions.map((permission) => ({
      permission,
      sources: [
        {
          scope: { scope: scopes[scope] },
          roles: roles.filter((role) => permissionsOfRole[role]?.includes(permission)),
        },
      ],
    })),
  };
}

/** The service, asked by someone with these roles. */
export function askedBy(service: FakeService, scope: keyof typeof scopes, ...roles: string[]): FakeService {
  return { ...service, caller: { getCaller: () => callerWith(scope, ...roles) } };
}
