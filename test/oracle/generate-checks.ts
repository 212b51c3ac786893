import fc from "fast-check";
import { anyOrganization, anyProject, anyUser } from "./generate-names.ts";
import { anyKeys } from "./generate-world.ts";

const anyItem = fc.record(
  {
    userId: anyUser,
    projectId: anyProject,
    organizationId: anyOrganization,
    roleKeys: fc.oneof(
      { weight: 5, arbitrary: anyKeys.map((keys) => (keys.length === 0 ? ["no role"] : keys)) },
      { weight: 1, arbitrary: fc.constant(["no role"]) },
    ),
  },
  { requiredKeys: ["userId", "projectId", "roleKeys"] },
);

export const anyCheckRoles = fc.array(anyItem, { maxLength: 12 }).map((items) => ({ checkRoles: { items } }));
