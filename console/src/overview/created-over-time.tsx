import type { AuthorizationsSearchFilter, GetOverviewResponse } from "@authorization-service/client";
import type { AssignmentsSearch } from "../assignments/search.ts";
import { overviewWords as words } from "../words/overview.ts";
import { Bars } from "./bars.tsx";
import { created } from "./links.ts";
import { timelineOf } from "./periods.ts";
import { assignments, daysText, numberText } from "./wording.ts";

type Props = {
  overview: GetOverviewResponse;
  /** The link to the table with these filters beside the active ones. */
  tableOf: (filters: readonly AuthorizationsSearchFilter[]) => AssignmentsSearch;
};

/** When assignments were created: a bar for each day, or for each of longer periods, newest first. */
export function CreatedOverTime({ overview, tableOf }: Props) {
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
        table: tableOf(created(period)),
      }))}
      rest={
        earlier === 0
          ? undefined
          : { text: words.createdBefore(assignments(earlier)), table: tableOf(created({ to: first.from })) }
      }
    />
  );
}
