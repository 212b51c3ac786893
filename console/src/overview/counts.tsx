import type { AuthorizationsSearchFilter, GetOverviewResponse } from "@authorization-service/client";
import { Link } from "@tanstack/react-router";
import type { AssignmentsSearch } from "../assignments/search.ts";
import { type Facet, optionsOf, withChoices } from "../facets/choices.ts";
import { endWords } from "../words/ends.ts";
import { overviewWords as words } from "../words/overview.ts";
import { type Bar, Bars, type Rest } from "./bars.tsx";
import * as links from "./links.ts";
import { timelineOf } from "./periods.ts";
import { assignments, daysText, numberText } from "./wording.ts";

type Filters = readonly AuthorizationsSearchFilter[];

/** The counts as charts. Each bar links to the table with the active filters and its own. */
export function Counts({ overview, inForce }: { overview: GetOverviewResponse; inForce: Filters }) {
  const { totalResult: total, ofOtherRoles } = overview;
  const table = (ofBar: Filters) => links.tableOf(inForce, ofBar);
  const barsOf = (facet: Facet): Bar[] =>
    optionsOf(facet, overview, {}).options.map(({ choice, ...option }) => ({
      ...option,
      table: table(withChoices([], choice)),
    }));
  const endingWithin = (days: number, name: string, count: number): Bar => ({
    ...{ key: name, name, count },
    table: { ...table(links.endingWithin(days)), sort: "ends", asc: true },
  });
  const others = (
    count: number,
    text: (assignments: string) => string,
    ofRest: Filters | undefined,
  ): Rest | undefined => (count === 0 ? undefined : { text: text(assignments(count)), table: ofRest && table(ofRest) });
  const [organizations, projects] = [barsOf("organization"), barsOf("project")];
  const idsOf = (bars: readonly Bar[]) => bars.map(({ key }) => key);

  return (
    <>
      <p className="overview-total" aria-live="polite">
        <Link to="/assignments" search={table([])}>
          {assignments(total)}
        </Link>
      </p>
      <div className="charts">
        <Bars title={words.byState} bars={barsOf("state")} total={total} />
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
          bars={organizations}
          total={total}
          rest={others(
            overview.inOtherOrganizations,
            words.inOtherOrganizations,
            links.inOtherOrganizations(inForce, idsOf(organizations)),
          )}
        />
        <Bars
          title={words.byProject}
          bars={projects}
          total={total}
          rest={others(overview.forOtherProjects, words.forOtherProjects, links.forOtherProjects(idsOf(projects)))}
        />
        <Bars
          title={words.byRole}
          hint={words.byRoleHint}
          bars={barsOf("role")}
          total={total}
          // How often roles are held: no list has this many rows.
          rest={ofOtherRoles === 0 ? undefined : { text: words.otherRoles(ofOtherRoles, numberText(ofOtherRoles)) }}
        />
        <CreatedOverTime overview={overview} tableOf={table} />
      </div>
    </>
  );
}

/** The link to the table with these filters beside the active ones. */
type TableOf = (filters: Filters) => AssignmentsSearch;

/** When assignments were created: a bar for each day, or for each of longer periods, newest first. */
function CreatedOverTime({ overview, tableOf }: { overview: GetOverviewResponse; tableOf: TableOf }) {
  const { days, onEarlierDays: earlier, newestDayExceedsLimit } = overview;
  const periods = timelineOf(days);
  const [first] = periods;
  if (newestDayExceedsLimit) {
    return <Bars title={words.created} bars={[]} total={0} rest={{ text: words.newestDayExceedsLimit }} />;
  }
  return first === undefined ? null : (
    <Bars
      title={words.created}
      hint={words.newestDays(days.length, numberText(days.length))}
      total={overview.totalResult}
      longest={Math.max(...periods.map(({ count }) => count))}
      bars={periods.toReversed().map((period) => ({
        key: String(period.from),
        name: daysText(period),
        count: period.count,
        table: tableOf(links.created(period)),
      }))}
      rest={
        earlier === 0
          ? undefined
          : { text: words.createdBefore(assignments(earlier)), table: tableOf(links.created({ to: first.from })) }
      }
    />
  );
}
