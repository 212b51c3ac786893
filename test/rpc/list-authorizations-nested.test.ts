import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorInfo, startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let root: string;

beforeAll(async () => {
  server = await startTestServer({ smallWorld: true });
  root = await server.database.token("root");
});
afterAll(() => server.stop());

const all = ["a1", "a2", "a3", "a4", "a5", "a6"];
const auditor = { roleKey: { key: "auditor" } };
const globex = { organizationId: { id: "globex" } };
const ann = { userId: { id: "ann" } };
const not = (filter: object) => ({ not: filter });
const anyOf = (...filters: object[]) => ({ anyOf: { filters } });
const allOf = (...filters: object[]) => ({ allOf: { filters } });

/** Filters of each kind, some of which match what is null elsewhere, or nothing. */
const some: [string, object][] = [
  ["ids", { authorizationIds: { ids: ["a1", "a7"] } }],
  ["no ids", { authorizationIds: {} }],
  ["users", { inUserIds: { ids: ["bob"] } }],
  ["user", ann],
  ["organization", globex],
  ["user's organization", { userOrganizationId: { id: "globex" } }],
  ["project", { projectId: { id: "depot" } }],
  ["projects", { projectIds: { ids: ["depot", "nothing"] } }],
  ["no projects", { projectIds: {} }],
  ["project grant", { projectGrantId: { id: "shop-to-globex" } }],
  ["no project grant", { projectGrantId: {} }],
  ["another project grant", { projectGrantId: { id: "nothing" } }],
  ["state", { state: { state: "STATE_INACTIVE" } }],
  ["login name", { userPreferredLoginName: { loginName: "bob@globex.example" } }],
  ["display name", { userDisplayName: { displayName: "adam of acme" } }],
  ["project name", { projectName: { name: "Depot" } }],
  ["organization name", { organizationName: { name: "Globex" } }],
  ["role", auditor],
  ["roles", { roleKeys: { keys: ["owner", "auditor"] } }],
  ["no roles", { roleKeys: {} }],
  ["from", { created: { from: "2024-01-03T00:00:00Z" } }],
  ["to", { changed: { to: "2024-01-03T00:00:00Z" } }],
  ["both", { changed: { from: "2024-01-03T00:00:00Z", to: "2024-01-05T00:00:00Z" } }],
];

describe("a filter that nests others", () => {
  test.each(some)("not matches all the rest: %s", async (_name, filter) => {
    const matched = await idsWith(filter);
    const rest = all.filter((id) => !matched.includes(id));
    expect(await idsWith(not(filter))).toEqual(rest);
    expect(await idsWith(not(not(filter)))).toEqual(matched);
    expect(await idsWith(not(filter), filter)).toEqual([]);
    expect(await idsWith(anyOf(filter, not(filter)))).toEqual(all);
    expect(await idsWith(not(anyOf(filter, ann)))).toEqual(rest.filter((id) => id !== "a1"));
    expect(await idsWith(not(allOf(filter, ann)))).toEqual(all.filter((id) => id !== "a1" || rest.includes(id)));
  });

  test.each(some)(
    "anyOf matches what one of them matches, once, and allOf what each matches: %s",
    async (_name, filter) => {
      const [one, other] = [await idsWith(filter), await idsWith(auditor)];
      expect(await idsWith(anyOf(filter, auditor))).toEqual(all.filter((id) => one.includes(id) || other.includes(id)));
      expect(await idsWith(anyOf(filter, filter, filter))).toEqual(one);
      expect(await idsWith(anyOf(filter, not(auditor)))).toEqual(
        all.filter((id) => one.includes(id) || !other.includes(id)),
      );
      expect(await idsWith(allOf(filter, auditor))).toEqual(one.filter((id) => other.includes(id)));
      expect(await idsWith(allOf(filter, not(auditor)))).toEqual(one.filter((id) => !other.includes(id)));
    },
  );

  test("anyOf of nothing matches nothing, and not of that everything", async () => {
    expect(await idsWith(anyOf())).toEqual([]);
    expect(await idsWith({ anyOf: {} })).toEqual([]);
    expect(await idsWith(not(anyOf()))).toEqual(all);
    expect(await idsWith(anyOf(anyOf(), ann))).toEqual(["a1"]);
    expect(await idsWith(anyOf(not(anyOf()), auditor))).toEqual(all);
    expect(await idsWith(allOf(anyOf(), ann))).toEqual([]);
  });

  test("is joined to the others by AND", async () => {
    expect(await idsWith(anyOf(auditor, globex), anyOf(ann, { userId: { id: "bob" } }))).toEqual(["a4"]);
    expect(await idsWith(globex, anyOf(auditor, ann), not(ann))).toEqual(["a4"]);
    expect(await idsWith(anyOf(allOf(globex, auditor), allOf(ann, { projectId: { id: "shop" } })))).toEqual([
      "a1",
      "a4",
    ]);
  });

  test("shows no more than is visible", async () => {
    const bob = await server.database.token("bob");
    for (const filters of [
      [not(auditor)],
      [not(ann)],
      [anyOf(ann, auditor)],
      [anyOf(ann, not(auditor))],
      [not(anyOf())],
    ]) {
      const { body } = await server.call("ListAuthorizations", { filters }, { token: bob });
      const ids = body.authorizations.map(({ id }: { id: string }) => id);
      expect(["a4", "a6"]).toEqual(expect.arrayContaining(ids));
      expect(body.pagination.totalResult).toBe(ids.length);
    }
  });

  test("belongs to the list that a page token is for, at every depth", async () => {
    const list = (filter: object, pageToken = "") =>
      server.call("ListAuthorizations", { filters: [filter], pagination: { limit: 1, pageToken } }, { token: root });
    const nested = (id: string) => anyOf(not({ userId: { id } }), auditor);
    const { nextPageToken } = (await list(nested("ann"))).body.pagination;
    expect((await list(nested("ann"), nextPageToken)).status).toBe(200);
    expect(errorInfo(await list(nested("bob"), nextPageToken))?.reason).toBe("PAGE_TOKEN_INVALID");
  });
});

describe.each(["created", "changed"])("the dates of %s", (kind) => {
  const between = (from?: string, to?: string) => ({ [kind]: { from, to } });

  test("are matched from the first, up to the second and without it", async () => {
    expect(await idsWith(between("2024-01-04T00:00:00Z"))).toEqual(["a4", "a5", "a6"]);
    expect(await idsWith(between(undefined, "2024-01-04T00:00:00Z"))).toEqual(["a1", "a2", "a3"]);
    expect(await idsWith(between("2024-01-04T00:00:00Z", "2024-01-05T00:00:00Z"))).toEqual(["a4"]);
    expect(await idsWith(between("2024-01-04T00:00:00Z", "2024-01-04T00:00:00Z"))).toEqual([]);
  });

  test("may be finer than what is stored, to the nanosecond", async () => {
    // a3 is one microsecond after midnight.
    const nanosecond = (n: number) => `2024-01-03T00:00:00.${String(n).padStart(9, "0")}Z`;
    expect(await idsWith(between(nanosecond(999), nanosecond(1_001)))).toEqual(["a3"]);
    expect(await idsWith(between(nanosecond(1_000), nanosecond(1_001)))).toEqual(["a3"]);
    expect(await idsWith(between(nanosecond(1_001), nanosecond(2_000)))).toEqual([]);
    expect(await idsWith(between(nanosecond(1), nanosecond(1_000)))).toEqual([]);
  });

  test("may be the first and the last there are, and before 1970", async () => {
    const [first, last] = ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z"];
    expect(await idsWith(between(first, last))).toEqual(all);
    expect(await idsWith(between(last))).toEqual([]);
    expect(await idsWith(not(between(last)))).toEqual(all);
    expect(await idsWith(between(undefined, first))).toEqual([]);
    expect(await idsWith(between("1969-12-31T23:59:59.999999999Z", last))).toEqual(all);
    expect(await idsWith(between(undefined, "1969-12-31T23:59:59.000000001Z"))).toEqual([]);
  });
});

test("roleKeys tells letters' case apart, and takes what means something to Postgres", async () => {
  expect(await idsWith({ roleKeys: { keys: ["SELLER", "Owner", "auditor "] } })).toEqual([]);
  expect(await idsWith({ roleKeys: { keys: ["SELLER", '"', "\\", ",", "{}", "Ä", "owner"] } })).toEqual(["a1"]);
});

/** The ids that are listed, which the total has to agree with. */
async function idsWith(...filters: object[]): Promise<string[]> {
  const { status, body } = await server.call("ListAuthorizations", { filters }, { token: root });
  expect(status, JSON.stringify(body)).toBe(200);
  const ids = body.authorizations.map(({ id }: { id: string }) => id).sort();
  expect(body.pagination.totalResult).toBe(ids.length);
  return ids;
}
