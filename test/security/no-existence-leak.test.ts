import { afterAll, describe, expect, test, vi } from "vitest";
import { jwtVerifier } from "../../src/identity/jwt.ts";
import { administrator } from "../support/assign.ts";
import { entry } from "../support/changes.ts";
import { smallWorldOfTests } from "../support/database.ts";
import { addDirectoryEvents } from "../support/directory-events.ts";
import { keyIssuerOfTests } from "../support/key-issuer.ts";
import { serveTests } from "../support/server.ts";
import { newKey, signJwt } from "../support/signing.ts";
import { recorderOfTests } from "../support/statement-recorder.ts";

/**
 * How long an answer takes tells what exists as well as its words do. A clock proves little; what decides is that the
 * same statements are sent to Postgres, as many and in the same order.
 */

const key = newKey("one");
const audience = "https://authorization.example";
// A request that takes longer than a second has its caller looked up once more; on this clock none does.
vi.useFakeTimers({ toFake: ["performance"] });
afterAll(() => vi.useRealTimers());
const database = await smallWorldOfTests();
const recorder = await recorderOfTests(database.url);
const issuer = await keyIssuerOfTests(key);
const verifyJwt = jwtVerifier({ issuer: issuer.url, audience, jwksUrl: undefined });
// One connection, which has made itself ready once it has answered.
const server = await serveTests({ database: { ...database, url: recorder.url }, poolSize: 1, verifyJwt });
const root = await database.token("root");
/** Sees what is in Globex and may change it, and has nothing to do with Acme. */
const stranger = await administrator(database, { organizationId: "globex", roles: ["ORG_OWNER"] });
/** Sees what is in Globex, and may change nothing. */
const viewer = await administrator(database, { organizationId: "globex", roles: ["ORG_OWNER_VIEWER"] });
// The server remembers them from then on.
for (const token of [root, stranger, viewer])
  expect((await server.call("ListAuthorizations", {}, { token })).status).toBe(200);
expect((await server.call("DeleteAuthorization", { id: "a2" }, { token: root })).status).toBe(200);
await database.load(
  entry("ann", { organizationId: "acme" }, "ORG_OWNER"),
  entry("ann", { projectId: "shop" }, "PROJECT_OWNER"),
  entry("ann", { projectGrantId: "shop-to-initech" }, "PROJECT_GRANT_OWNER"),
);
const places = [["organization", "acme"] as const];
const byRoot = { actorId: "root", after: {}, places };
await addDirectoryEvents(
  database,
  { ...byRoot, kind: "project", id: "depot" },
  { ...byRoot, kind: "projectRole", id: "keeper", within: "depot" },
);

/** An RPC of AuthorizationService, given by its name, or any other. */
type Call = { rpc: string; request: object | string; token?: string | undefined };

const pathOf = (rpc: string) => (rpc.includes("/") ? rpc : `authorization.v2.AuthorizationService/${rpc}`);

/** Everything a caller could tell answers apart by: the statements, which take the time, and all but the date. */
async function observed({ rpc, request, token }: Call): Promise<object> {
  let answer: object = {};
  const statements = await recorder.during(async () => {
    const options = token === undefined ? {} : { token };
    const { status, headers, body } = await server.callService(pathOf(rpc), request, options);
    answer = { status, headers: [...headers].filter(([name]) => name !== "date" && name !== "x-request-id"), body };
  });
  return { statements, answer };
}

async function expectSame(status: number, count: number, ...calls: Call[]): Promise<void> {
  // The server remembers their callers after that.
  await inTurn(calls.map((call) => () => observed(call)));
  const [first, ...others] = await inTurn(calls.map((call) => () => observed(call)));
  expect(first).toMatchObject({ answer: { status }, statements: expect.toSatisfy((all) => all.length === count) });
  for (const other of others) expect(other).toEqual(first);
}

async function inTurn<T>(works: (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = [];
  for (const work of works) results.push(await work());
  return results;
}

describe("What a caller cannot see differs from what never was in nothing, for", () => {
  // It never was; it is where the caller sees nothing; it was there until it was removed.
  const ids = ["never", "a1", "a2"];

  test.each([
    // What decides, and whether the caller still holds, because there were no rows.
    ["UpdateAuthorization", { roleKeys: ["seller"] }, 2],
    ["ActivateAuthorization", {}, 2],
    ["DeactivateAuthorization", {}, 2],
    ["DeleteAuthorization", {}, 3],
  ] as const)("%s", async (rpc, request, count) => {
    for (const token of [stranger, viewer]) {
      // Whatever else the request says.
      for (const more of [{}, { ifUnchangedSince: "2024-01-01T00:00:00Z" }]) {
        await expectSame(404, count, ...ids.map((id) => ({ rpc, request: { id, ...request, ...more }, token })));
      }
    }
  });

  test("TokenService, of tokens and users", async () => {
    const [row] = await database.query<{ id: string }>("select id from tokens where user_id = 'root'");
    for (const token of [stranger, viewer]) {
      const call = (rpc: string, ...requests: object[]) =>
        requests.map((request) => ({ rpc: `identity.v1.TokenService/${rpc}`, request, token }));
      await expectSame(404, 4, ...call("RevokeToken", { id: row?.id }, { id: "never" }));
      await expectSame(403, 1, ...call("CreateToken", { userId: "ann" }, { userId: "never" }));
      await expectSame(403, 1, ...call("ListTokens", { userId: "ann" }, { userId: "never" }));
    }
  });

  test("CreateAuthorization, of users, projects, organizations, roles and authorizations", async () => {
    const roleKeys = ["seller"];
    const places = [
      { userId: "never", projectId: "never", organizationId: "never", roleKeys },
      { userId: "ann", projectId: "never", organizationId: "never", roleKeys },
      { userId: "ann", projectId: "depot", organizationId: "never", roleKeys },
      { userId: "ann", projectId: "depot", organizationId: "acme", roleKeys },
      { userId: "ann", projectId: "shop", organizationId: "acme", roleKeys },
      { userId: "ann", projectId: "shop", organizationId: "acme", roleKeys: ["never"] },
      { userId: "cid", projectId: "shop", organizationId: "initech", roleKeys },
    ];
    const calls = places.map((request) => ({ rpc: "CreateAuthorization", request }));
    for (const token of [stranger, viewer]) {
      await expectSame(403, 1, ...calls.map((call) => ({ ...call, token })));
    }
  });

  /** Two requests of a list: with a filter for what is hidden, and with one for what never was. */
  const pair = (hidden: object, never: object, ...more: object[]) =>
    [hidden, never].map((one) => ({ filters: [one, ...more] }));
  const byId = (field: string, id: string, ...more: object[]) =>
    pair({ [field]: { id } }, { [field]: { id: "never" } }, ...more);
  const byIds = (field: string, ...ids: string[]) =>
    pair({ [field]: { ids } }, { [field]: { ids: ["never", "ever"] } });
  const byText = (field: string, key: string, text: string, more: object = {}) =>
    pair({ [field]: { [key]: text, ...more } }, { [field]: { [key]: "never", ...more } });
  const startsWith = { method: "TEXT_FILTER_METHOD_STARTS_WITH" };
  // A stranger sees the grants to its organization, but no roles.
  const roles = { kinds: { kinds: ["projectRole"] } };

  const lists: [path: string, ...pairs: object[][]][] = [
    [
      "authorization.v2.AuthorizationService/ListAuthorizations",
      byIds("authorizationIds", "a1"),
      byId("userId", "ann"),
      byIds("inUserIds", "ann", "adam"),
      byId("organizationId", "acme"),
      byId("projectId", "depot"),
      byId("projectGrantId", "shop-to-initech"),
      byId("userOrganizationId", "acme"),
      byText("roleKey", "key", "owner"),
      byText("projectName", "name", "Depot"),
      byText("userDisplayName", "displayName", "ann of acme"),
      byText("userPreferredLoginName", "loginName", "ann@acme.example"),
    ],
    [
      "authorization.v2.AuthorizationHistoryService/ListAuthorizationEvents",
      byId("authorizationId", "a2"),
      byId("userId", "ann"),
      byId("projectId", "depot"),
      byId("organizationId", "acme"),
      byId("actorId", "root"),
      pair({ types: { types: ["user.grant.removed"] } }, { types: { types: ["user.grant.reactivated"] } }),
    ],
    [
      "directory.v1.DirectoryHistoryService/ListDirectoryEvents",
      byId("id", "depot"),
      byId("userId", "ann"),
      byId("projectId", "depot"),
      byId("organizationId", "acme", roles),
      byId("actorId", "root", roles),
    ],
    ["directory.v1.DirectoryService/ListOrganizations", byIds("ids", "acme"), byText("name", "text", "Acme")],
    [
      "directory.v1.DirectoryService/ListProjects",
      byIds("ids", "depot"),
      byText("name", "text", "Depot"),
      byId("inOrganizationId", "initech"),
    ],
    [
      "directory.v1.DirectoryService/ListUsers",
      // One id, or a whole login name, would be found by whoever may assign roles.
      byIds("ids", "ann", "adam"),
      byText("preferredLoginName", "text", "ann@", startsWith),
      byText("name", "text", "ann of acme"),
      byId("organizationId", "acme"),
    ],
    [
      "directory.v1.DirectoryService/ListAdministrators",
      [{ userId: "root" }, { userId: "never" }],
      [{ organizationId: "acme" }, { organizationId: "never" }],
      [{ projectId: "shop" }, { projectId: "never" }],
      [{ projectGrantId: "shop-to-initech" }, { projectGrantId: "never" }],
      [{ role: "IAM_OWNER" }, { role: "IAM_NEVER" }],
    ],
  ];

  const byName = lists.map(([path, ...pairs]) => [...path.split("/"), pairs] as [string, string, object[][]]);

  test.each(byName)("%s/%s, in rows and totals, by whatever it is searched", async (service, name, pairs) => {
    const rpc = `${service}/${name}`;
    for (const requests of pairs) {
      for (const pagination of [{}, { skipTotal: true }, { offset: 5 }]) {
        const of = (request: object) => ({ rpc, request: { ...request, pagination }, token: stranger });
        await expectSame(200, 1, ...requests.map(of));
      }
      // There is something to be hidden.
      const seen = await server.callService(rpc, requests[0] ?? {}, { token: root });
      expect(seen.body.pagination.totalResult).toBeGreaterThan(0);
    }
  });

  test("ExplainAccess, of authorizations, no matter who it is about, and of users", async () => {
    const call = { rpc: "authorization.v2.CallerService/ExplainAccess" };
    for (const userId of ["", "ann", "bob", "never"]) {
      const requests = ids.map((authorizationId) => ({ authorizationId, userId }));
      for (const token of [stranger, viewer]) {
        await expectSame(404, 2, ...requests.map((request) => ({ ...call, request, token })));
      }
    }
    const about = ["never", "ann", "cid", "root"].map((userId) => ({ authorizationId: "a4", userId }));
    await expectSame(400, 1, ...about.map((request) => ({ ...call, request, token: viewer })));
    const own = await database.token("bob");
    await expectSame(403, 1, ...about.map((request) => ({ ...call, request, token: own })));
  });

  test("CheckRoles, of users, projects, organizations and roles", async () => {
    const call = { rpc: "authorization.v2.CheckService/CheckRoles", token: stranger };
    const hidden = { userId: "ann", projectId: "shop", organizationId: "acme", roleKeys: ["seller"] };
    const others = [{ userId: "never" }, { projectId: "never" }, { organizationId: "never" }, { roleKeys: ["never"] }];
    const items = [hidden, ...others.map((other) => ({ ...hidden, ...other }))];
    // From now on its caller is remembered, whatever ran before.
    await observed({ ...call, request: { items: [] } });
    await expectSame(200, 1, ...items.map((item) => ({ ...call, request: { items: [item] } })));
    // There is something to be hidden.
    const seen = await server.callService(call.rpc, { items: [hidden] }, { token: root });
    expect(seen.body.results[0].success.held).toHaveLength(1);
  });

  test("ApplyChanges, which looks up nothing for callers without any permission", async () => {
    const call = { token: viewer, rpc: "directory.v1.DirectoryService/ApplyChanges" };
    const changes = ["acme", "never"].map((organizationId) => ({ changes: [{ remove: { organizationId } }] }));
    await expectSame(403, 1, ...changes.map((request) => ({ ...call, request })));
  });

  const scopes = (is: boolean) => [
    { organizationId: is ? "acme" : "never" },
    { projectId: is ? "shop" : "never" },
    { projectGrantId: is ? "shop-to-initech" : "never" },
  ];
  const elsewhere = (is: boolean): object[] => [
    ...scopes(is).map((remove) => ({ remove })),
    { remove: { userId: is ? "ann" : "never" } },
    { remove: { projectRole: { projectId: is ? "shop" : "never", key: "seller" } } },
    { projectRole: { projectId: is ? "shop" : "never", key: "seller" } },
    { projectGrant: { id: "new", projectId: is ? "shop" : "never", organizationId: "globex" } },
    { project: { id: is ? "shop" : "new", organizationId: is ? "acme" : "never", name: "Shop" } },
    { user: { id: is ? "ann" : "new", organizationId: is ? "acme" : "never", preferredLoginName: "ann" } },
    ...scopes(is).map((scope) => ({ administrator: { userId: is ? "ann" : "never", ...scope, roles: [] } })),
    ...scopes(is).map((scope) => ({ remove: { administrator: { userId: is ? "root" : "never", ...scope } } })),
  ];

  test.each(elsewhere(true).map((there, index) => [there, elsewhere(false)[index] ?? {}]))(
    "ApplyChanges, with a change of what is elsewhere: %j",
    async (there, never) => {
      const call = { token: stranger, rpc: "directory.v1.DirectoryService/ApplyChanges" };
      const calls = [there, never].map((change) => ({ ...call, request: { changes: [change] } }));
      // The caller, the beginning, its isolation, what decides, and the end.
      await expectSame(403, 5, ...calls);
    },
  );
});

describe("Credentials are looked up by one statement, whatever is wrong with them:", () => {
  const lookUp = (token: string): Call => ({ rpc: "ListAuthorizations", request: "{", token });

  test("tokens that are unknown, expired, revoked and of another length", async () => {
    const revoked = await database.token("root");
    await database.query("delete from tokens where hash = sha256($1)", [revoked]);
    const expired = await database.token("root", -1);
    const tokens = ["authz_AAAA", `authz_${"A".repeat(43)}`, `authz_${"A".repeat(8_000)}`, revoked, expired];
    await expectSame(401, 1, ...tokens.map(lookUp));
  });

  test("a token that is accepted costs the same one before the request is looked at", async () => {
    const [accepted, refused] = [await observed(lookUp(root)), await observed(lookUp("authz_AAAA"))];
    expect(accepted).toMatchObject({ answer: { status: 400 }, statements: ["find caller by token"] });
    expect(refused).toMatchObject({ answer: { status: 401 }, statements: ["find caller by token"] });
  });

  test("JWTs of users that are there and that are not", async () => {
    const exp = Math.floor(Date.now() / 1000) + 600;
    const jwt = (sub: string) => signJwt(key, { iss: issuer.url, aud: audience, exp, sub });
    const [known, unknown] = [await observed(lookUp(jwt("root"))), await observed(lookUp(jwt("never")))];
    expect(known).toMatchObject({ answer: { status: 400 }, statements: ["find caller by user id"] });
    expect(unknown).toMatchObject({ answer: { status: 401 }, statements: ["find caller by user id"] });
  });

  test("JWTs that are refused for themselves are not looked up, no matter who they name", async () => {
    const forged = (sub: string) => signJwt(newKey("one"), { iss: issuer.url, aud: audience, exp: 9_999_999_999, sub });
    await expectSame(401, 0, lookUp(forged("root")), lookUp(forged("never")), lookUp("no.such.jwt"));
  });
});
