import type pg from "pg";
import type { LookUpQuery, OrganizationFilter, ProjectFilter, UserFilter } from "../../src/directory/look-ups.ts";
import { assignableList } from "../../src/postgres/look-up/list-assignable.ts";
import { organizationList } from "../../src/postgres/look-up/list-organizations.ts";
import { projectList } from "../../src/postgres/look-up/list-projects.ts";
import { userList } from "../../src/postgres/look-up/list-users.ts";
import { type NameList, nameListStatement } from "../../src/postgres/look-up/name-list.ts";
import type { Caller } from "./callers.ts";
import { examine } from "./explain.ts";
import type { Result } from "./judge.ts";
import { lookUpBound, measure } from "./look-up-bound.ts";
import { allLookUps, type LookUpCase } from "./look-up-cases.ts";
import type { Samples } from "./samples.ts";

/** Runs every look-up for every caller, as lists are run. */
export async function runLookUps(
  client: pg.Client,
  callers: readonly Caller[],
  samples: Samples,
  only: string,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const one of allLookUps(samples).filter(({ name }) => name.includes(only))) {
    for (const caller of callers) {
      const examined = await examine(client, nameListStatement(listOf(one, caller), one.query), false);
      const bound = lookUpBound(one, await measure(client, one, caller), examined.listed);
      results.push({ ...examined, filter: one.name, caller: caller.kind, sort: "name", bound });
    }
  }
  return results;
}

function listOf({ things, query }: LookUpCase, { asker, visibility }: Caller): NameList {
  switch (things) {
    case "organizations":
      return organizationList(visibility, query as LookUpQuery<OrganizationFilter>);
    case "projects":
      return projectList(asker, query as LookUpQuery<ProjectFilter>);
    case "places":
      // All that callers of the bench world may read, most of them may also change; what it costs is the same.
      return assignableList(visibility.scopes, query as LookUpQuery<ProjectFilter>);
    case "users":
      return userList(visibility, query as LookUpQuery<UserFilter>);
  }
}
