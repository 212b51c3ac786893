import type { Authorization } from "@authorization-service/client";
import type { ReactNode } from "react";
import { Ago } from "../parts/moment.tsx";
import { nameOf, RoleChips } from "../parts/role-chips.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { assignmentWords as words } from "../words/assignments.ts";
import { ProjectCell } from "./project-cell.tsx";
import type { Sort } from "./search.ts";
import { Who } from "./who.tsx";

/** The columns that can be hidden. The user column can't. */
export const columnNames = words.columns;

/** The sort order for a click on a column's head. */
export const sortOfColumn: Partial<Record<string, Sort>> = {
  user: "user",
  organization: "organization",
  project: "project",
  created: "created",
  changed: "changed",
  ends: "ends",
};

const rolesShown = 3;
export type Column = {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Authorization) => ReactNode;
  /** What the cell may have no room for. */
  readonly whole?: (row: Authorization) => string | undefined;
};

export const columns: readonly Column[] = [
  {
    id: "user",
    header: words.user,
    cell: ({ user }) => user && <Who user={user} />,
    whole: ({ user }) => `${user?.displayName}\n${user?.preferredLoginName}`,
  },
  {
    id: "organization",
    header: columnNames.organization,
    cell: (row) => <bdi>{row.organization?.name}</bdi>,
    whole: (row) => row.organization?.name,
  },
  {
    id: "project",
    header: columnNames.project,
    cell: (row) => <ProjectCell row={row} isOwned={isOwned(row)} />,
    whole: (row) => row.project?.name,
  },
  {
    id: "roles",
    header: columnNames.roles,
    cell: (row) => <RoleChips roles={row.roles} most={rolesShown} />,
    whole: ({ roles }) => roles.map(nameOf).slice(0, rolesShown).join(", "),
  },
  {
    id: "state",
    header: columnNames.state,
    cell: (row) => <StateBadge of={row} />,
  },
  {
    id: "ends",
    header: columnNames.ends,
    cell: (row) => <Ago at={row.expirationDate} />,
  },
  {
    id: "created",
    header: columnNames.created,
    cell: (row) => <Ago at={row.creationDate} />,
  },
  {
    id: "changed",
    header: columnNames.changed,
    cell: (row) => <Ago at={row.changeDate} />,
  },
];

/** Whether the assignment's organization owns the project or has a grant for it. */
export function isOwned({ organization, project }: Authorization): boolean {
  return organization?.id === project?.organizationId;
}
