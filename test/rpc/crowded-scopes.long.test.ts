import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apply, entry, organization, project, projectGrant, remove } from "../support/changes.ts";
import { listModel } from "../support/list-model.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { authorization, role, user } from "../support/world.ts";

/**
 * An organization with sixty projects, of which every third is also granted to a partner. Few of them have anything in
 * them, or many. Callers have entries on most of the projects or of the grants, and a few elsewhere.
 */
const numbers = Array.from({ length: 60 }, (_, index) => index);
const granted = numbers.filter((at) => at % 3 === 0);
const callers = ["many", "some", "guest", "both"];
const people = Array.from({ length: 12 }, (_, index) => `person-${index}`);

function worldWith(used: readonly number[]): object[] {
  return [
    ...["crowded", "partner", "other"].map((id) => organization(id)),
    ...callers.map((id) => user(id, "other")),
    ...people.map((id, index) => user(id, index % 2 === 0 ? "crowded" : "partner", `Person ${index % 5}`)),
    ...numbers.map((at) => project(`p${at}`, "crowded", `Project ${at % 7}`)),
    project("elsewhere", "other"),
    ...[...numbers.map((at) => `p${at}`), "elsewhere"].map((id) => role(id, "r")),
    ...granted.map((at) => projectGrant(`g${at}`, `p${at}`, "partner", "r")),
    ...numbers.slice(5).map((at) => entry("many", { projectId: `p${at}` }, "PROJECT_OWNER")),
    entry("many", { projectId: "elsewhere" }, "PROJECT_OWNER_VIEWER"),
    ...numbers.slice(40).map((at) => entry("some", { projectId: `p${at}` }, "PROJECT_OWNER_VIEWER")),
    ...granted.slice(1).map((at) => entry("guest", { projectGrantId: `g${at}` }, "PROJECT_GRANT_OWNER")),
    ...granted.map((at) => entry("both", { projectGrantId: `g${at}` }, "PROJECT_GRANT_OWNER_VIEWER")),
    ...numbers.slice(20).map((at) => entry("both", { projectId: `p${at}` }, "PROJECT_OWNER_VIEWER")),
    entry("both", { organizationId: "other" }, "ORG_OWNER"),
    ...used.flatMap((at) => people.slice(at % 4, 8 + (at % 5)).map((id, index) => assigned(id, at, index))),
    assigned("many", 3, 1, "elsewhere", "other"),
    assigned("both", 0, 2),
    assigned("guest", 1, 2),
  ];
}

function assigned(id: string, at: number, index: number, to = `p${at}`, place?: string): object {
  const isGuest = at % 3 === 0 && index % 2 === 0;
  const date = new Date(Date.UTC(2024, index % 5, 1 + (at % 9))).toISOString();
  const state = (at + index) % 4 === 0 ? "STATE_INACTIVE" : "STATE_ACTIVE";
  const organizationId = place ?? (isGuest ? "partner" : "crowded");
  return authorization(`a-${id}-${to}`, id, to, organizationId, index % 3 === 0 ? [] : ["r"], date, state);
}

const columns = [
  ...["CREATED_DATE", "CHANGED_DATE", "ORGANIZATION_ID", "USER_ID", "PROJECT_ID", "USER_DISPLAY_NAME"],
  ...["PROJECT_NAME", "ORGANIZATION_NAME"],
].map((column) => `AUTHORIZATION_FIELD_NAME_${column}`);
const filters = [
  [],
  [{ state: { state: "STATE_INACTIVE" } }],
  [{ organizationId: { id: "crowded" } }],
  [{ projectId: { id: "p9" } }],
  [{ projectId: { id: "p9" } }, { organizationId: { id: "partner" } }],
  [{ roleKey: { key: "r", method: "TEXT_FILTER_METHOD_EQUALS" } }],
  [{ userDisplayName: { displayName: "Person 1", method: "TEXT_FILTER_METHOD_EQUALS" } }],
];

describe.each([
  ["of which few have anything in them", [6, 9, 33, 58]],
  ["all of which have something in them", numbers],
])("A caller with many scopes in one organization, %s,", (_, used) => {
  const world = worldWith(used);
  const model = listModel(world);
  const tokens: Record<string, string> = {};
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer();
    await server.database.load(...world);
    for (const caller of callers) tokens[caller] = await server.database.token(caller);
  });
  afterAll(() => server.stop());

  const visibleTo = (caller: string) => model.list(caller, { filters: [], pagination: { limit: 1_000 } });

  test.each(callers)("sees all of its assignments and no others, in every order (%s)", async (caller) => {
    expect(visibleTo(caller).pagination.totalResult).toBeGreaterThan(7);
    for (const sortingColumn of columns) {
      for (const [index, asked] of filters.entries()) {
        for (const skipTotal of [false, true]) {
          const pagination = { limit: [5, 40, 1_000][index % 3] ?? 5, asc: index % 2 === 0, skipTotal };
          const request = { sortingColumn, filters: asked, pagination } as Parameters<typeof model.list>[1];
          const { status, body } = await server.call("ListAuthorizations", request, { token: tokens[caller] ?? "" });
          const { pagination: told, authorizations } = model.list(caller, request);
          expect({
            status,
            caller,
            request,
            ids: body.authorizations.map(idOf),
            total: body.pagination.totalResult,
          }).toEqual({
            ...{ status: 200, caller, request, ids: authorizations.map(idOf) },
            total: told.totalResult,
          });
        }
      }
    }
  });

  test.each(callers)("sees their history, counts and users (%s)", async (caller) => {
    const token = tokens[caller] ?? "";
    const { authorizations, pagination } = visibleTo(caller);
    const ids = authorizations.map(idOf).toSorted();
    const service = (path: string, request: object) => server.callService(path, request, { token });
    const whole = { pagination: { limit: 1_000 } };
    const { body: history } = await service(
      "authorization.v2.AuthorizationHistoryService/ListAuthorizationEvents",
      whole,
    );
    expect(history.events.map((event: any) => event.authorizationId).toSorted()).toEqual(ids);
    expect(history.pagination.totalResult).toBe(ids.length);
    const { body: overview } = await service("authorization.v2.OverviewService/GetOverview", {});
    expect(JSON.stringify(overview)).toContain(String(pagination.totalResult));
    const { body: users } = await server.callDirectory("ListUsers", whole, { token });
    const known = new Set(authorizations.map(({ user }) => user.id));
    if (caller === "both") for (const id of callers) known.add(id);
    expect(users.users.map(idOf).toSorted()).toEqual([...known].toSorted());
  });
});

test("A caller with many scopes finds their organizations and projects, whether or not anything is in them", async () => {
  const server = await startTestServer();
  await server.database.load(...worldWith([]));
  const found = async (caller: string, things: "organizations" | "projects") => {
    const token = await server.database.token(caller);
    const { body } = await server.callDirectory(
      things === "organizations" ? "ListOrganizations" : "ListProjects",
      { pagination: { limit: 1_000 } },
      { token },
    );
    expect(body.pagination.totalResult).toBe(body[things].length);
    return body[things].map(idOf).toSorted();
  };
  const names = (of: readonly number[]) => of.map((at) => `p${at}`);
  expect(await found("many", "organizations")).toEqual(["crowded", "other"]);
  expect(await found("many", "projects")).toEqual([...names(numbers.slice(5)), "elsewhere"].toSorted());
  expect(await found("some", "organizations")).toEqual(["crowded"]);
  expect(await found("some", "projects")).toEqual(names(numbers.slice(40)).toSorted());
  expect(await found("guest", "organizations")).toEqual(["crowded", "partner"]);
  expect(await found("guest", "projects")).toEqual(["p1", ...names(granted.slice(1))].toSorted());
  expect(await found("both", "organizations")).toEqual(["crowded", "other", "partner"]);
  await server.stop();
});

test("What is assigned in a place for the first time is seen at once, and its earlier history never is", async () => {
  const server = await startTestServer();
  await server.database.load(...worldWith([6]));
  await server.database.load(user("root", "other"), entry("root", { instance: true }, "IAM_OWNER"));
  const owner = await server.database.token("root");
  const token = await server.database.token("many");
  const seen = async (rpc: string, service: string, field: string) => {
    const { body } = await server.callService(
      `authorization.v2.${service}/${rpc}`,
      { pagination: { limit: 1_000 } },
      { token },
    );
    return body[field].filter((one: any) => one.project.id === "p50").length;
  };
  const rows = () => seen("ListAuthorizations", "AuthorizationService", "authorizations");
  const events = () => seen("ListAuthorizationEvents", "AuthorizationHistoryService", "events");
  expect([await rows(), await events()]).toEqual([0, 0]);
  await apply(server, owner, authorization("new", "person-0", "p50", "crowded", [], "2024-01-01T00:00:00Z"));
  expect([await rows(), await events()]).toEqual([1, 1]);
  await apply(server, owner, remove({ authorizationId: "new" }));
  expect([await rows(), await events()]).toEqual([0, 2]);
  await apply(server, owner, remove({ projectId: "p50" }));
  await apply(server, owner, project("p50", "crowded"), entry("many", { projectId: "p50" }, "PROJECT_OWNER"));
  expect([await rows(), await events()]).toEqual([0, 0]);
  await apply(server, owner, authorization("newer", "person-0", "p50", "crowded", [], "2024-01-01T00:00:00Z"));
  expect([await rows(), await events()]).toEqual([1, 1]);
  await apply(server, owner, remove({ administrator: { userId: "many", projectId: "p50" } }));
  expect([await rows(), await events()]).toEqual([0, 0]);
  await server.stop();
});

function idOf({ id }: { id?: string }): string {
  return id ?? "";
}
