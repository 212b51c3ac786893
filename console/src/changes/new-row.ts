import { type Authorization, AuthorizationSchema, State } from "@authorization-service/client";
import type { ListedProject } from "@authorization-service/client/directory";
import { create } from "@bufbuild/protobuf";

type Named = { readonly id: string; readonly name: string };
type Person = { readonly id: string; readonly displayName: string; readonly preferredLoginName: string };
type Where = { readonly project: Named & { readonly organizationId: string }; readonly organization: Named };

/** An assignment that doesn't exist yet, so it can be shown and created with others that do. It has no roles. */
export function newRow(user: Person, { project, organization }: Where): Authorization {
  const row = create(AuthorizationSchema, {
    user: { id: user.id, displayName: user.displayName, preferredLoginName: user.preferredLoginName },
    project: { id: project.id, name: project.name, organizationId: project.organizationId },
    organization: { id: organization.id, name: organization.name },
    state: State.ACTIVE,
  });
  return { ...row, id: slotOf(row) };
}

/** Where roles of a project can be assigned, as an assignment says it. */
export function whereOf(project: ListedProject): Where {
  return { project, organization: project.assignableIn ?? { id: "", name: "" } };
}

export function isNew({ changeDate }: Authorization): boolean {
  return changeDate === undefined;
}

/** Identifies a person in a place. There is at most one assignment of each. */
export function slotOf({ user, project, organization }: Authorization): string {
  return JSON.stringify([user?.id, project?.id, organization?.id]);
}
