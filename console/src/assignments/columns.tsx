import type { Authorization } from "@authorization-service/client";
import type { ReactNode } from "react";
import { Moment } from "../parts/moment.tsx";
import { RoleChips } from "../parts/role-chips.tsx";
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
};

export const columns: readonly Column[] = [
  {
    id: "user",
    header: words.user,
    cell: ({ user }) => user && <Who user={user} />,
  },
  {
    id: "organization",
    header: columnNames.organization,
    cell: (row) => <bdi>{row.organization?.name}</bdi>,
  },
  {
    id: "project",
    header: columnNames.project,
    cell: (row) => <ProjectCell row={row} isOwned={isOwned(row)} />,
  },
  {
    id: "roles",
    header: columnNames.roles,
    cell: (row) => <RoleChips roles={row.roles} most={rolesShown} />,
  },
  {
    id: "state",
    header: columnNames.state,
    cell: (row) => <StateBadge of={row} />,
  },
  {
    id: "ends",
    header: columnNames.ends,
    cell: (row) => <Moment at={row.expirationDate} />,
  },
  {
    id: "created",
    header: columnNames.created,
    cell: (row) => <Moment at={row.creationDate} />,
  },
  {
    id: "changed",
    header: columnNames.changed,
    cell: (row) => <Moment at={row.changeDate} />,
  },
];

/** Whether the assignment's organization owns the project or has a grant for it. */
export function isOwned({ organization, project }: Authorization): boolean {
  return organization?.id === project?.organizationId;
}
