import { type AuthorizationsSearchFilter, type GetOverviewResponse, State } from "@authorization-service/client";
import { nameOf } from "../parts/role-chips.tsx";
import { endWords } from "../words/ends.ts";
import { overviewWords as words } from "../words/overview.ts";
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
        exceedsLimit={overview.newestDayExceedsLimit}
        tableOfPeriod={(period) => table(links.created(period))}
      />
      <Bars title={words.byState} bars={states(overview, table)} total={total} />
      {overview.endingIn30Days > 0 && <Bars title={endWords.soon} bars={endingSoon(overview, table)} total={total} />}
      <Bars
        title={words.byOrganization}
        bars={organizations(overview, table)}
        total={total}
        rest={others(overview.inOtherOrganizations, words.inOtherOrganizations, inOthers && table(inOthers))}
      />
      <Bars
        title={words.byProject}
        bars={projects(overview, table)}
        total={total}
        rest={others(overview.forOtherProjects, words.forOtherProjects, table(links.forOtherProjects(projectIds)))}
      />
      <Bars
        title={words.byRole}
        hint={words.byRoleHint}
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
    name: state === State.ACTIVE ? words.active : words.inactive,
    detail: state === State.ACTIVE ? words.activeDetail : words.inactiveDetail,
    count,
    table: table(links.inState(state)),
  }));
}

function endingSoon({ endingIn7Days, endingIn30Days }: GetOverviewResponse, table: TableOf): Bar[] {
  const within = (days: number, name: string, detail: string, count: number) => ({
    ...{ key: String(days), name, detail, count },
    table: { ...table(links.endingWithin(days)), sort: "ends" as const, asc: true as const },
  });
  return [
    within(7, endWords.in7Days, endWords.in7DaysDetail, endingIn7Days),
    within(30, endWords.in30Days, endWords.in30DaysDetail, endingIn30Days),
  ];
}

function organizations({ organizations }: GetOverviewResponse, table: TableOf): Bar[] {
  return organizations.map(({ organization: { id, name } = { id: "", name: "" }, count }) => ({
    key: id,
    name: name || id,
    detail: words.organization(id),
    count,
    table: table(links.inOrganization(id)),
  }));
}

function projects({ projects }: GetOverviewResponse, table: TableOf): Bar[] {
  return projects.map(({ project: { id, name } = { id: "", name: "" }, count }) => ({
    key: id,
    name: name || id,
    detail: words.project(id),
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
          detail: words.role(role.key, project.id),
          count,
          table: table(links.withRole(project.id, role.key)),
        }
      : [],
  );
}

function others(
  count: number,
  where: (assignments: string) => string,
  table: Bar["table"] | undefined,
): Rest | undefined {
  return count === 0 ? undefined : { text: where(assignments(count)), table };
}

/** Counts roles held, not assignments, so there is no list with this many rows. */
function otherRoles(count: number): Rest | undefined {
  if (count === 0) return undefined;
  return { text: count === 1 ? words.otherRolesOnce : words.otherRoles(numberText(count)), table: undefined };
}
