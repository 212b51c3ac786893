import type { Authorization } from "@authorization-service/client";
import { columnVisibilityFeature, createColumnHelper, rowSelectionFeature, tableFeatures } from "@tanstack/react-table";
import { Avatar } from "../parts/avatar.tsx";
import { Moment } from "../parts/moment.tsx";
import { RoleChips } from "../parts/role-chips.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { ProjectCell } from "./project-cell.tsx";
import type { Sort } from "./search.ts";

export const features = tableFeatures({ rowSelectionFeature, columnVisibilityFeature });

/** The columns that can be hidden. The user column can't. */
export const columnNames = {
  organization: "Organization",
  project: "Project",
  roles: "Roles",
  state: "State",
  created: "Created",
  changed: "Changed",
};

/** The sort order for a click on a column's head. */
export const sortOfColumn: Partial<Record<string, Sort>> = {
  user: "user",
  organization: "organization",
  project: "project",
  created: "created",
  changed: "changed",
};

const rolesShown = 3;
const helper = createColumnHelper<typeof features, Authorization>();

export const columns = helper.columns([
  helper.display({
    id: "user",
    header: "User",
    cell: ({ row }) => {
      const { user } = row.original;
      return (
        user && (
          <div className="who">
            <Avatar user={user} />
            <span className="who-names">
              <bdi className="who-name">{user.displayName || user.id}</bdi>
              <bdi className="muted" title={user.preferredLoginName}>
                {user.preferredLoginName}
              </bdi>
            </span>
          </div>
        )
      );
    },
  }),
  helper.display({
    id: "organization",
    header: columnNames.organization,
    cell: ({ row }) => <bdi>{row.original.organization?.name}</bdi>,
  }),
  helper.display({
    id: "project",
    header: columnNames.project,
    cell: ({ row }) => <ProjectCell row={row.original} isOwned={isOwned(row.original)} />,
  }),
  helper.display({
    id: "roles",
    header: columnNames.roles,
    cell: ({ row }) => <RoleChips roles={row.original.roles} most={rolesShown} />,
  }),
  helper.display({
    id: "state",
    header: columnNames.state,
    cell: ({ row }) => <StateBadge state={row.original.state} />,
  }),
  helper.display({
    id: "created",
    header: columnNames.created,
    cell: ({ row }) => <Moment at={row.original.creationDate} />,
  }),
  helper.display({
    id: "changed",
    header: columnNames.changed,
    cell: ({ row }) => <Moment at={row.original.changeDate} />,
  }),
]);

/** Whether the assignment's organization owns the project or has a grant for it. */
export function isOwned({ organization, project }: Authorization): boolean {
  return organization?.id === project?.organizationId;
}
