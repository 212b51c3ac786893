import type { Overview, OverviewQuery, ReadOverview } from "../../authorization/overview.ts";
import type { Visibility } from "../../authorization/permissions.ts";
import { narrow } from "../list/normal-form.ts";
import type { Database } from "../pool/database.ts";
import { firstRow } from "../pool/first-row.ts";
import { namedByText, type Statement } from "../pool/prepared.ts";
import { authorizations } from "../seen/places.ts";
import { reachOf } from "../seen/reach.ts";
import { overviewOf } from "./overview-answer.ts";
import { countMatching } from "./overview-of-matches.ts";
import { countPlaces } from "./overview-of-places.ts";

export const readOverview =
  (database: Database): ReadOverview =>
  async (visibility, query, signal) => {
    const statement = overviewStatement(visibility, query);
    return firstRow(await database.query<{ overview: Overview }>(statement, signal)).overview;
  };

/**
 * With no filters other than organization and project, all but the days comes from numbers that a trigger maintains
 * (migrations/0005_numbers.sql). Otherwise all matches are read once and counted.
 */
function overviewStatement(visibility: Visibility, query: OverviewQuery): Statement {
  const narrowing = narrow(query.filters);
  if (narrowing.state !== undefined || narrowing.others.length > 0) {
    return overviewOf(countMatching(visibility, query), query);
  }
  const reach = reachOf(visibility, narrowing, authorizations);
  return namedByText(overviewOf(countPlaces(reach, narrowing, query), query));
}
