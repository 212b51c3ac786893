import type { Authorization } from "@authorization-service/client";
import type { ReactNode } from "react";
import { Ago } from "../parts/moment.tsx";
import { nameOf, RoleChips } from "../parts/role-chips.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import type { assignmentWords as words } from "../words/assignments.ts";
import { Who } from "./who.tsx";

const rolesShown = 3;

export type Column = {
  /** Also the sort order for a click on its head, if there is one. */
  readonly id: "user" | keyof typeof words.columns;
  readonly cell: (row: Authorization) => ReactNode;
  /** What the cell may have no room for. */
  readonly whole?: (row: Authorization) => string | undefined;
};

export const columns: readonly Column[] = [
  {
    id: "user",
    cell: ({ user }) => user && <Who user={user} />,
    whole: ({ user }) => `${user?.displayName}\n${user?.preferredLoginName}`,
  },
  {
    id: "organization",
    cell: (row) => <bdi>{row.organization?.name}</bdi>,
    whole: (row) => row.organization?.name,
  },
  {
    id: "project",
    cell: (row) => <bdi>{row.project?.name}</bdi>,
    whole: (row) => row.project?.name,
  },
  {
    id: "roles",
    cell: (row) => <RoleChips roles={row.roles} most={rolesShown} />,
    whole: ({ roles }) => roles.map(nameOf).slice(0, rolesShown).join(", "),
  },
  { id: "state", cell: (row) => <StateBadge of={row} /> },
  { id: "ends", cell: (row) => <Ago at={row.expirationDate} /> },
  { id: "created", cell: (row) => <Ago at={row.creationDate} /> },
  { id: "changed", cell: (row) => <Ago at={row.changeDate} /> },
];

/** Whether the assignment's organization owns the project or has a grant for it. */
export function isOwned({ organization, project }: Authorization): boolean {
  return organization?.id === project?.organizationId;
}
