import { type AuthorizationsSearchFilter, type GetOverviewResponse, State } from "@authorization-service/client";
import { Link } from "@tanstack/react-router";
import { nameOf } from "../parts/role-chips.tsx";
import { endWords } from "../words/ends.ts";
import { overviewWords as words } from "../words/overview.ts";
import { type Bar, Bars, type Rest } from "./bars.tsx";
import { CreatedOverTime } from "./created-over-time.tsx";
import * as links from "./links.ts";
import { assignments, numberText } from "./wording.ts";

type Filters = readonly AuthorizationsSearchFilter[];
type Thing = { readonly id: string; readonly name: string };

/** The counts as charts. Each bar links to the table with the active filters and its own. */
export function Counts({ overview, inForce }: { overview: GetOverviewResponse; inForce: Filters }) {
  const { totalResult: total, organizations, projects, roles, states, ofOtherRoles } = overview;
  const table = (ofBar: Filters) => links.tableOf(inForce, ofBar);
  const barOf = (thing: Thing | undefined, count: number, filtersOf: (id: string) => Filters): Bar => {
    const { id, name } = thing ?? { id: "", name: "" };
    return { key: id, name: name || id, count, table: table(filtersOf(id)) };
  };
  const endingWithin = (days: number, name: string, count: number): Bar => ({
    ...{ key: name, name, count },
    table: { ...table(links.endingWithin(days)), sort: "ends", asc: true },
  });
  const others = (
    count: number,
    text: (assignments: string) => string,
    ofRest: Filters | undefined,
  ): Rest | undefined => (count === 0 ? undefined : { text: text(assignments(count)), table: ofRest && table(ofRest) });
  const idsOf = (things: readonly (Thing | undefined)[]) => things.map((thing) => thing?.id ?? "");

  return (
    <>
      <p className="overview-total" aria-live="polite">
        <Link to="/assignments" search={table([])}>
          {assignments(total)}
        </Link>
      </p>
      <div className="charts">
        <CreatedOverTime overview={overview} tableOf={table} />
        <Bars
          title={words.byState}
          total={total}
          bars={states.map(({ state, count }) => ({
            ...{ key: String(state), name: state === State.ACTIVE ? words.active : words.inactive, count },
            table: table(links.inState(state)),
          }))}
        />
        {overview.endingIn30Days > 0 && (
          <Bars
            title={endWords.soon}
            total={total}
            bars={[
              endingWithin(7, endWords.in7Days, overview.endingIn7Days),
              endingWithin(30, endWords.in30Days, overview.endingIn30Days),
            ]}
          />
        )}
        <Bars
          title={words.byOrganization}
          total={total}
          bars={organizations.map(({ organization, count }) => barOf(organization, count, links.inOrganization))}
          rest={others(
            overview.inOtherOrganizations,
            words.inOtherOrganizations,
            links.inOtherOrganizations(inForce, idsOf(organizations.map(({ organization }) => organization))),
          )}
        />
        <Bars
          title={words.byProject}
          total={total}
          bars={projects.map(({ project, count }) => barOf(project, count, links.forProject))}
          rest={others(
            overview.forOtherProjects,
            words.forOtherProjects,
            links.forOtherProjects(idsOf(projects.map(({ project }) => project))),
          )}
        />
        <Bars
          title={words.byRole}
          hint={words.byRoleHint}
          total={total}
          bars={roles.flatMap(({ project, role, count }) =>
            project && role
              ? {
                  ...{ key: JSON.stringify([project.id, role.key]), name: nameOf(role), count },
                  within: project.name || project.id,
                  table: table(links.withRole(project.id, role.key)),
                }
              : [],
          )}
          // How often roles are held: no list has this many rows.
          rest={ofOtherRoles === 0 ? undefined : { text: words.otherRoles(ofOtherRoles, numberText(ofOtherRoles)) }}
        />
      </div>
    </>
  );
}
