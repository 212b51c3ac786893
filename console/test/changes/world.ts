import {
  type Authorization,
  AuthorizationHistoryService,
  AuthorizationService,
  CallerService,
  type CreateAuthorizationRequest,
  ErrorInfoSchema,
  RoleSchema,
  type State,
} from "@authorization-service/client";
import { DirectoryService } from "@authorization-service/client/directory";
import { create } from "@bufbuild/protobuf";
import { type Timestamp, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createRouterTransport } from "@connectrpc/connect";
import { assignment, everything, refusal } from "./assignment.ts";

export type Call = { readonly rpc: string; readonly request: Record<string, unknown> };

type Item = { id: string; roleKeys?: string[]; ifUnchangedSince?: Timestamp | undefined };
type Edit = (row: Authorization, item: Item) => void;
type Result = { case: "success"; value: object } | { case: "error"; value: object };

export const roles = [
  create(RoleSchema, { key: "auditor", displayName: "Auditor", group: "control" }),
  create(RoleSchema, { key: "buyer", displayName: "Buyer", group: "staff" }),
  create(RoleSchema, { key: "seller", displayName: "Seller", group: "staff" }),
];

/**
 * A service that holds assignments and changes them as the real one does: not where the date is another. It keeps what
 * it was asked. `before` runs ahead of each call, and may throw.
 */
export function worldOf(...rows: Authorization[]) {
  const world = {
    rows: new Map(rows.map((row) => [row.id, row])),
    calls: [] as Call[],
    /** How many roles of each project are not listed. */
    unlisted: 0,
    caller: everything,
    user: { id: "user-1", displayName: "Person 1", preferredLoginName: "1@acme.example", organizationId: "" },
    /** The newest event of each assignment. */
    latest: { type: "user.grant.changed", actor: { id: "ann", displayName: "Ann" } } as {
      type: string;
      actor?: object;
    },
    before: (_call: Call): void | Promise<void> => {},
    /** What may be assigned where, by the ids of organization and project. */
    offered: { acme: { shop: roles }, globex: { shop: roles.slice(0, 1) } } as Record<
      string,
      Record<string, typeof roles>
    >,
    asked: (rpc: string) => world.calls.filter((call) => call.rpc === rpc).map(({ request }) => request as never),
    /** What somebody else does. */
    change(id: string, edit: (row: Authorization) => void) {
      const row = structuredClone(world.rows.get(id)) as Authorization;
      edit(row);
      row.changeDate = timestampFromMs(++clock);
      world.rows.set(id, row);
    },
  };
  let clock = 2_000;

  async function heard(rpc: string, request: object) {
    const call = { rpc, request: request as Record<string, unknown> };
    world.calls.push(call);
    await world.before(call);
  }

  function changed(item: Item, edit: Edit): Timestamp | undefined {
    const row = world.rows.get(item.id);
    if (row === undefined) throw refusal("AUTHORIZATION_NOT_FOUND", Code.NotFound);
    const since = item.ifUnchangedSince;
    if (since && since.seconds * 1_000_000_000n + BigInt(since.nanos) !== nanosOf(row)) {
      throw refusal("AUTHORIZATION_CHANGED", Code.Aborted);
    }
    world.change(item.id, (next) => edit(next, item));
    return world.rows.get(item.id)?.changeDate;
  }

  function resultOf(item: Item, edit: Edit) {
    try {
      return { result: { case: "success" as const, value: { changeDate: changed(item, edit) } } };
    } catch (error) {
      const reason = ConnectError.from(error).findDetails(ErrorInfoSchema)[0]?.reason ?? "";
      return { result: { case: "error" as const, value: { reason, code: "aborted", message: reason } } };
    }
  }

  /** As CreateAuthorization makes it: active, with an id of its own. */
  function createdAs({ userId, projectId, organizationId, roleKeys }: CreateAuthorizationRequest) {
    const id = `made-${userId}`;
    const isThere = [...world.rows.values()].some(({ user }) => user?.id === userId);
    if (isThere) {
      const value = { reason: "AUTHORIZATION_EXISTS", code: "already_exists", message: "it exists" };
      return { result: { case: "error" as const, value } };
    }
    const creationDate = timestampFromMs(++clock);
    const made = assignment(id, {
      creationDate,
      changeDate: creationDate,
      user: { id: userId },
      project: { id: projectId, name: "Shop", organizationId: "acme" },
      organization: { id: organizationId },
      roles: roles.filter(({ key }) => roleKeys.includes(key)),
    });
    world.rows.set(id, made);
    return { result: { case: "success" as const, value: { id, creationDate } } };
  }

  const setRoles: Edit = (row, { roleKeys = [] }) => {
    row.roles = roles.filter(({ key }) => roleKeys.includes(key));
  };
  const setState =
    (state: State): Edit =>
    (row) => {
      row.state = state;
    };

  const transport = createRouterTransport(({ service }) => {
    service(CallerService, { getCaller: () => world.caller });
    service(AuthorizationService, {
      async listAuthorizations(request) {
        await heard("list", request);
        const found = [...world.rows.values()].filter((row) =>
          request.filters.every(({ filter: { case: kind, value } }) => {
            if (kind === "authorizationIds") return value.ids.includes(row.id);
            if (kind === "userId") return value.id === row.user?.id;
            if (kind === "inUserIds") return value.ids.includes(row.user?.id ?? "");
            if (kind === "projectId") return value.id === row.project?.id;
            if (kind === "organizationId") return value.id === row.organization?.id;
            return true;
          }),
        );
        const start = Number(request.pagination?.pageToken || 0);
        const end = start + (request.pagination?.limit || 100);
        const nextPageToken = end < found.length ? String(end) : "";
        return {
          pagination: { totalResult: found.length, nextPageToken },
          authorizations: found.slice(start, end).map((row) => structuredClone(row)),
        };
      },
      async batchCreateAuthorizations(request) {
        await heard("batchCreate", request);
        return { results: request.items.map(createdAs) };
      },
      async batchUpdateAuthorizations(request) {
        await heard("batchUpdate", request);
        return { results: request.items.map((item) => resultOf(item, setRoles)) } as never;
      },
      async batchSetState(request) {
        await heard("batchSetState", request);
        return { results: request.items.map((item) => resultOf(item, setState(request.state))) } as never;
      },
      async batchDeleteAuthorizations(request) {
        await heard("batchDelete", request);
        const results = request.items.map((item) => resultOf(item, nothing));
        for (const [index, { id }] of request.items.entries()) {
          if (results[index]?.result.case === "success") world.rows.delete(id);
        }
        return { results: results.map(({ result }) => ({ result: withoutDate(result) })) } as never;
      },
    });
    service(AuthorizationHistoryService, {
      listAuthorizationEvents: () => ({ events: [{ time: timestampFromMs(1_000), ...world.latest }] }),
    });
    service(DirectoryService, {
      async listProjects(request) {
        await heard("listProjects", request);
        const values = Object.fromEntries(request.filters.map(({ filter }) => [filter.case, filter.value])) as {
          ids?: { ids: string[] };
          inOrganizationId?: { id: string };
          search?: { text: string };
        };
        const projects = Object.entries(world.offered).flatMap(([organizationId, projects]) =>
          Object.entries(projects).map(([id, offered]) => ({
            id,
            name: id === "shop" ? "Shop" : id,
            organizationId: "acme",
            roles: offered.map(({ key, displayName, group }) => ({
              key,
              displayName,
              group,
              description: `Does ${key}.`,
            })),
            totalRoles: offered.length + world.unlisted,
            assignableIn: { id: organizationId, name: organizationId === "acme" ? "Acme" : "Globex" },
            projectGrantId: organizationId === "acme" ? "" : `${id}-to-${organizationId}`,
          })),
        );
        const found = projects
          .filter(({ id }) => values.ids?.ids.includes(id) ?? true)
          .filter(({ id }) => id.startsWith(values.search?.text ?? ""))
          .filter(({ assignableIn }) => [undefined, assignableIn.id].includes(values.inOrganizationId?.id));
        const limit = request.pagination?.limit || 100;
        return { projects: found.slice(0, limit), pagination: { nextPageToken: found.length > limit ? "next" : "" } };
      },
      async listOrganizations(request) {
        await heard("listOrganizations", request);
        const organizations = [
          { id: "acme", name: "Acme" },
          { id: "globex", name: "Globex" },
        ];
        const ids = request.filters.flatMap(({ filter }) => (filter.case === "ids" ? filter.value.ids : []));
        return { organizations: organizations.filter(({ id }) => ids.includes(id)) };
      },
      listUsers: () => ({ users: [world.user] }),
    });
  });
  return Object.assign(world, { transport });
}

export type World = ReturnType<typeof worldOf>;

function nanosOf({ changeDate }: Authorization): bigint {
  return (changeDate?.seconds ?? 0n) * 1_000_000_000n + BigInt(changeDate?.nanos ?? 0);
}

function nothing() {}

function withoutDate(result: Result): Result {
  return result.case === "error" ? result : { case: "success", value: {} };
}
