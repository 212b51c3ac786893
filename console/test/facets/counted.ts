import {
  type AuthorizationsSearchFilter,
  type GetOverviewRequest,
  type ListAuthorizationsRequest,
  State,
} from "@authorization-service/client";
import type { FakeService } from "../support/console.tsx";

/** An assignment, as far as it is counted. */
export type Counted = {
  readonly project: string;
  readonly organization: string;
  readonly roles: readonly string[];
  readonly state: State;
};

/** A service that lists and counts these assignments as the real one does, and keeps what it was asked to count. */
export function countingService(rows: readonly Counted[], roleKeys: Readonly<Record<string, readonly string[]>>) {
  const asked: GetOverviewRequest[] = [];
  /** What counts wait for. */
  const delays: Promise<void>[] = [];
  const matching = (filters: readonly AuthorizationsSearchFilter[]) =>
    rows.filter((row) => filters.every((filter) => isMatch(row, filter)));
  const service = {
    authorizations: {
      listAuthorizations({ filters }: ListAuthorizationsRequest) {
        const found = matching(filters);
        return {
          pagination: { totalResult: found.length },
          authorizations: found.slice(0, 1).map(() => ({ id: "1", user: { id: "ann", displayName: "Ann" } })),
        };
      },
    },
    overview: {
      async getOverview(request: GetOverviewRequest) {
        asked.push(request);
        await Promise.all(delays);
        const found = matching(request.filters);
        const most = <Value>(values: readonly Value[], of: (value: Value) => string) => {
          const counts = [...Map.groupBy(values, of)].map(([id, all]) => ({ id, count: all.length }));
          counts.sort((one, other) => other.count - one.count || (one.id < other.id ? -1 : 1));
          const listed = counts.slice(0, request.top);
          return { listed, rest: counts.slice(request.top).reduce((sum, { count }) => sum + count, 0) };
        };
        const organizations = most(found, ({ organization }) => organization);
        const projects = most(found, ({ project }) => project);
        const roles = most(
          found.flatMap(({ project, roles: held }) => held.map((key) => JSON.stringify([project, key]))),
          (id) => id,
        );
        return {
          totalResult: found.length,
          organizations: organizations.listed.map(({ id, count }) => ({ organization: named(id), count })),
          inOtherOrganizations: organizations.rest,
          projects: projects.listed.map(({ id, count }) => ({ project: named(id), count })),
          forOtherProjects: projects.rest,
          roles: roles.listed.map(({ id, count }) => {
            const [project, key] = JSON.parse(id);
            return { project: named(project), role: role(key), count };
          }),
          ofOtherRoles: roles.rest,
          states: [State.ACTIVE, State.INACTIVE].map((state) => ({
            state,
            count: found.filter((row) => row.state === state).length,
          })),
        };
      },
    },
    directory: {
      listProjects: ({ filters }) => ({
        projects: idsIn(filters).map((id) => ({
          ...named(id),
          roles: (roleKeys[id] ?? []).map(role),
          totalRoles: roleKeys[id]?.length ?? 0,
        })),
      }),
      listOrganizations: ({ filters }) => ({ organizations: idsIn(filters).map(named) }),
    },
  } satisfies FakeService;
  return { ...service, asked, delays };
}

function isMatch(row: Counted, { filter: { case: kind, value } }: AuthorizationsSearchFilter): boolean {
  switch (kind) {
    case "projectId":
      return row.project === value.id;
    case "organizationId":
      return row.organization === value.id;
    case "roleKeys":
      return row.roles.some((key) => value.keys.includes(key));
    case "state":
      return row.state === value.state;
    default:
      throw new Error(`this world has no filter ${kind}`);
  }
}

function idsIn(
  filters: readonly { readonly filter: { readonly case?: string | undefined; readonly value?: unknown } }[],
): readonly string[] {
  return filters.flatMap(({ filter }) => (filter.case === "ids" ? (filter.value as { ids: string[] }).ids : []));
}

function named(id: string) {
  return { id, name: id.toUpperCase() };
}

function role(key: string) {
  return { key, displayName: key.toUpperCase() };
}
