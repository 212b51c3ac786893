import { type AuthorizationsSearchFilter, type GetOverviewResponse, State } from "@authorization-service/client";
import { nameOf } from "../parts/role-chips.tsx";
import { type Bar, Bars, type Rest } from "./bars.tsx";
import { CreatedOverTime } from "./created-over-time.tsx";
import * as links from "./links.ts";
import { assignments, numberText } from "./wording.ts";

type Filters = readonly AuthorizationsSearchFilter[];

/** The counts as charts. Each bar links to the table with the active filters and its own. */
export function Counts({ overview, inForce }: { overview: GetOverviewResponse; inForce: Filters }) {
  const { totalResult: total } = overview;
  const table = (ofBar: Filters) => links.tableOf(inForce, ofBar);
  const organizationIds = overview.organizations.map(({ organization }) => organization?.id ?? "");
  const projectIds = overview.projects.map(({ project }) => project?.id ?? "");
  const inOthers = links.inOtherOrganizations(inForce, organizationIds);

  return (
    <div className="charts">
      <CreatedOverTime
        days={overview.days}
        earlier={overview.onEarlierDays}
        tableOfPeriod={(period) => table(links.created(period))}
      />
      <Bars title="By state" bars={states(overview, table)} total={total} />
      <Bars
        title="By organization"
        bars={organizations(overview, table)}
        total={total}
        rest={others(overview.inOtherOrganizations, "in other organizations", inOthers && table(inOthers))}
      />
      <Bars
        title="By project"
        bars={projects(overview, table)}
        total={total}
        rest={others(overview.forOtherProjects, "for other projects", table(links.forOtherProjects(projectIds)))}
      />
      <Bars
        title="By role"
        hint="An assignment with several roles counts with each of them."
        bars={roles(overview, table)}
        total={total}
        rest={otherRoles(overview.ofOtherRoles)}
      />
    </div>
  );
}

type TableOf = (ofBar: Filters) => Bar["table"];

function states({ states }: GetOverviewResponse, table: TableOf): Bar[] {
  return states.map(({ state, count }) => ({
    key: String(state),
    name: state === State.ACTIVE ? "Active" : "Inactive",
    detail: state === State.ACTIVE ? "Roles in force" : "Roles kept, but not in force",
    count,
    table: table(links.inState(state)),
  }));
}

function organizations({ organizations }: GetOverviewResponse, table: TableOf): Bar[] {
  return organizations.map(({ organization: { id, name } = { id: "", name: "" }, count }) => ({
    key: id,
    name: name || id,
    detail: `Organization ${id}`,
    count,
    table: table(links.inOrganization(id)),
  }));
}

function projects({ projects }: GetOverviewResponse, table: TableOf): Bar[] {
  return projects.map(({ project: { id, name } = { id: "", name: "" }, count }) => ({
    key: id,
    name: name || id,
    detail: `Project ${id}`,
    count,
    table: table(links.forProject(id)),
  }));
}

function roles({ roles }: GetOverviewResponse, table: TableOf): Bar[] {
  return roles.flatMap(({ project, role, count }) =>
    project && role
      ? {
          key: JSON.stringify([project.id, role.key]),
          name: nameOf(role),
          within: project.name || project.id,
          detail: `Role ${role.key} of project ${project.id}`,
          count,
          table: table(links.withRole(project.id, role.key)),
        }
      : [],
  );
}

function others(count: number, where: string, table: Bar["table"] | undefined): Rest | undefined {
  return count === 0 ? undefined : { text: `${assignments(count)} ${where}`, table };
}

/** Counts roles held, not assignments, so there is no list with this many rows. */
function otherRoles(count: number): Rest | undefined {
  if (count === 0) return undefined;
  return { text: `Other roles are held ${count === 1 ? "once" : `${numberText(count)} times`}`, table: undefined };
}
