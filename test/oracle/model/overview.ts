import { type Filter, matches } from "./list.ts";
import { sees } from "./permissions.ts";
import { type Authorization, compareTexts, keyOf, type World } from "./world.ts";

/** The JSON body of a request. */
export type OverviewRequest = { filters?: Filter[]; top?: number; days?: number };

/** The body the service is to answer with. */
export function getOverview(world: World, callerId: string, request: OverviewRequest): object {
  const rows = [...world.authorizations.values()]
    .filter((row) => sees(world, callerId, row))
    .filter((row) => (request.filters ?? []).every((filter) => matches(world, row, filter)));
  const top = request.top || 10;
  const organizations = most(count(rows.map((row) => [row.organizationId])), top);
  const projects = most(count(rows.map((row) => [row.projectId])), top);
  const held = rows.flatMap((row) => row.roleKeys.map((key) => [row.projectId, key]));
  const roles = most(count(held), top);
  const newest = count(rows.map((row) => [dayOf(row)])).sort((one, other) => -compareKeys(one.key, other.key));
  const days = newest.slice(0, request.days || 30);
  return {
    totalResult: rows.length,
    organizations: organizations.map(({ key: [id = ""], count }) => ({
      organization: world.organizations.get(id),
      count,
    })),
    inOtherOrganizations: rows.length - sum(organizations),
    projects: projects.map(({ key: [id = ""], count }) => ({ project: world.projects.get(id), count })),
    forOtherProjects: rows.length - sum(projects),
    roles: roles.map(({ key: [id = "", roleKey = ""], count }) => {
      const { displayName, group } = world.projectRoles.get(keyOf(id, roleKey)) ?? {};
      return { project: world.projects.get(id), role: { key: roleKey, displayName, group }, count };
    }),
    ofOtherRoles: held.length - sum(roles),
    states: ["STATE_ACTIVE", "STATE_INACTIVE"].map((state) => ({
      state,
      count: rows.filter((row) => row.state === state).length,
    })),
    days: days.map(({ key: [day], count }) => ({ day, count })),
    // The ends of a case are years away.
    endingIn7Days: 0,
    endingIn30Days: 0,
    onEarlierDays: rows.length - sum(days),
    // No world is as large.
    newestDayExceedsLimit: false,
  };
}

type Counted = { key: string[]; count: number };

function count(keys: readonly string[][]): Counted[] {
  const counts = new Map<string, Counted>();
  for (const key of keys) {
    const counted = counts.get(keyOf(...key)) ?? { key, count: 0 };
    counted.count += 1;
    counts.set(keyOf(...key), counted);
  }
  return [...counts.values()];
}

/** Those with most; of as many, the lower key first. */
function most(counted: readonly Counted[], top: number): Counted[] {
  return [...counted].sort((one, other) => other.count - one.count || compareKeys(one.key, other.key)).slice(0, top);
}

function compareKeys([one = "", ...more]: string[], [other = "", ...others]: string[]): number {
  return compareTexts(one, other) || (more.length > 0 ? compareKeys(more, others) : 0);
}

function sum(counted: readonly Counted[]): number {
  return counted.reduce((total, { count }) => total + count, 0);
}

/** The day in UTC, of dates from the year 1 to the year 9999. */
function dayOf({ creationDate }: Authorization): string {
  const milliseconds = (creationDate - (((creationDate % 1_000n) + 1_000n) % 1_000n)) / 1_000n;
  return new Date(Number(milliseconds)).toISOString().slice(0, 10);
}
