import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { jwtVerifier } from "../../src/identity/jwt.ts";
import { administrator } from "../support/assign.ts";
import { createSmallWorld, type TestDatabase } from "../support/database.ts";
import { addDirectoryEvents } from "../support/directory-events.ts";
import { type KeyIssuer, startKeyIssuer } from "../support/key-issuer.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { newKey, signJwt } from "../support/signing.ts";
import { recordStatements, type StatementRecorder } from "../support/statement-recorder.ts";

/**
 * How long an answer takes tells what exists as well as its words do. A clock proves little; what decides is that the
 * same statements are sent to Postgres, as many and in the same order.
 */

const key = newKey("one");
const audience = "https://authorization.example";
let database: TestDatabase;
let recorder: StatementRecorder;
let issuer: KeyIssuer;
let server: TestServer;
let root: string;
/** Sees what is in Globex and may change it, and has nothing to do with Acme. */
let stranger: string;
/** Sees what is in Globex, and may change nothing. */
let viewer: string;

beforeAll(async () => {
  // A request that takes longer than a second has its caller looked up once more; on this clock none does.
  vi.useFakeTimers({ toFake: ["performance"] });
  database = await createSmallWorld();
  recorder = await recordStatements(database.url);
  issuer = await startKeyIssuer(key);
  const verifyJwt = jwtVerifier({ issuer: issuer.url, audience, jwksUrl: undefined });
  // One connection, which has made itself ready once it has answered.
  server = await startTestServer({ database: { ...database, url: recorder.url }, poolSize: 1, verifyJwt });
  root = await database.token("root");
  stranger = await administrator(database, { organizationId: "globex", roles: ["ORG_OWNER"] });
  viewer = await administrator(database, { organizationId: "globex", roles: ["ORG_OWNER_VIEWER"] });
  // The server remembers them from then on.
  for (const token of [root, stranger, viewer])
    expect((await server.call("ListAuthorizations", {}, { token })).status).toBe(200);
  expect((await server.call("DeleteAuthorization", { id: "a2" }, { token: root })).status).toBe(200);
});
afterAll(async () => {
  vi.useRealTimers();
  await server.stop();
  await recorder.close();
  await issuer.stop();
  await database.drop();
});

type Call = { rpc: string; request: object | string; token?: string | undefined; service?: string };

/** Everything a caller could tell answers apart by: the statements, which take the time, and all but the date. */
async function observed({
  rpc,
  request,
  token,
  service = "authorization.v2.AuthorizationService",
}: Call): Promise<object> {
  let answer: object = {};
  const statements = await recorder.during(async () => {
    const options = token === undefined ? {} : { token };
    const { status, headers, body } = await server.callService(`${service}/${rpc}`, request, options);
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
    // What decides, the caller again because there were no rows, and what decides.
    ["UpdateAuthorization", { roleKeys: ["seller"] }, 3],
    ["ActivateAuthorization", {}, 3],
    ["DeactivateAuthorization", {}, 3],
    ["DeleteAuthorization", {}, 4],
  ] as const)("%s", async (rpc, request, count) => {
    for (const token of [stranger, viewer]) {
      // Whatever else the request says.
      for (const more of [{}, { ifUnchangedSince: "2024-01-01T00:00:00Z" }]) {
        await expectSame(404, count, ...ids.map((id) => ({ rpc, request: { id, ...request, ...more }, token })));
      }
    }
  });

  test("TokenService, of tokens and users", async () => {
    const service = "identity.v1.TokenService";
    const [row] = await database.query<{ id: string }>("select id from tokens where user_id = 'root'");
    const both = (rpc: string, requests: object[]) => requests.map((request) => ({ rpc, request, service }));
    for (const token of [stranger, viewer]) {
      const call = (rpc: string, ...requests: object[]) => both(rpc, requests).map((each) => ({ ...each, token }));
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

  test("ListAuthorizations, in rows and totals, by whatever it is searched", async () => {
    const searches = (existing: object, never: object) => [existing, never];
    for (const [hidden, never] of [
      searches({ authorizationIds: { ids: ["a1"] } }, { authorizationIds: { ids: ["never"] } }),
      searches({ userId: { id: "ann" } }, { userId: { id: "never" } }),
      searches({ inUserIds: { ids: ["ann", "adam"] } }, { inUserIds: { ids: ["never", "ever"] } }),
      searches({ organizationId: { id: "acme" } }, { organizationId: { id: "never" } }),
      searches({ projectId: { id: "depot" } }, { projectId: { id: "never" } }),
      searches({ projectGrantId: { id: "shop-to-initech" } }, { projectGrantId: { id: "never" } }),
      searches({ userOrganizationId: { id: "acme" } }, { userOrganizationId: { id: "never" } }),
      searches({ roleKey: { key: "owner" } }, { roleKey: { key: "never" } }),
      searches({ projectName: { name: "Depot" } }, { projectName: { name: "Never" } }),
      searches({ userDisplayName: { displayName: "ann of acme" } }, { userDisplayName: { displayName: "Never" } }),
      searches(
        { userPreferredLoginName: { loginName: "ann@acme.example" } },
        { userPreferredLoginName: { loginName: "x" } },
      ),
    ]) {
      for (const pagination of [{}, { skipTotal: true }, { offset: 5 }]) {
        const calls = [hidden, never].map((filter) => ({
          rpc: "ListAuthorizations",
          request: { filters: [filter], pagination },
          token: stranger,
        }));
        await expectSame(200, 1, ...calls);
        // There is something to be hidden.
        if (!("offset" in pagination) && !("skipTotal" in pagination)) {
          const seen = await server.call("ListAuthorizations", { filters: [hidden] }, { token: root });
          expect(seen.body.pagination.totalResult).toBeGreaterThan(0);
        }
      }
    }
  });

  test("ListAuthorizationEvents, in rows and totals, by whatever it is searched", async () => {
    const call = { rpc: "ListAuthorizationEvents", service: "authorization.v2.AuthorizationHistoryService" };
    for (const [hidden, never] of [
      [{ authorizationId: { id: "a2" } }, { authorizationId: { id: "never" } }],
      [{ userId: { id: "ann" } }, { userId: { id: "never" } }],
      [{ projectId: { id: "depot" } }, { projectId: { id: "never" } }],
      [{ organizationId: { id: "acme" } }, { organizationId: { id: "never" } }],
      [{ actorId: { id: "root" } }, { actorId: { id: "never" } }],
      [{ types: { types: ["user.grant.removed"] } }, { types: { types: ["user.grant.reactivated"] } }],
    ]) {
      for (const pagination of [{}, { skipTotal: true }, { offset: 5 }]) {
        const requests = [hidden, never].map((filter) => ({ filters: [filter], pagination }));
        await expectSame(200, 1, ...requests.map((request) => ({ ...call, request, token: stranger })));
      }
      // There is something to be hidden.
      const seen = await server.callService(`${call.service}/${call.rpc}`, { filters: [hidden] }, { token: root });
      expect(seen.body.pagination.totalResult).toBeGreaterThan(0);
    }
  });

  test("ListDirectoryEvents, in rows and totals, by whatever it is searched", async () => {
    const call = { rpc: "ListDirectoryEvents", service: "directory.v1.DirectoryHistoryService" };
    const places = [["organization", "acme"] as const];
    await addDirectoryEvents(database, { kind: "project", id: "depot", actorId: "root", after: {}, places });
    // A stranger sees the grants to its organization, but no roles.
    const roles = { kinds: { kinds: ["projectRole"] } };
    for (const [hidden, never, more] of [
      [{ id: { id: "depot" } }, { id: { id: "never" } }],
      [{ userId: { id: "ann" } }, { userId: { id: "never" } }],
      [{ projectId: { id: "depot" } }, { projectId: { id: "never" } }],
      [{ organizationId: { id: "acme" } }, { organizationId: { id: "never" } }, roles],
      [{ actorId: { id: "root" } }, { actorId: { id: "never" } }, roles],
    ]) {
      for (const pagination of [{}, { skipTotal: true }, { offset: 5 }]) {
        const requests = [hidden, never].map((filter) => ({ filters: more ? [filter, more] : [filter], pagination }));
        await expectSame(200, 1, ...requests.map((request) => ({ ...call, request, token: stranger })));
      }
      // There is something to be hidden.
      const seen = await server.callService(`${call.service}/${call.rpc}`, { filters: [hidden] }, { token: root });
      expect(seen.body.pagination.totalResult).toBeGreaterThan(0);
    }
  });

  test("ExplainAccess, of authorizations, no matter who it is about, and of users", async () => {
    const call = { rpc: "ExplainAccess", service: "authorization.v2.CallerService" };
    for (const userId of ["", "ann", "bob", "never"]) {
      const requests = ids.map((authorizationId) => ({ authorizationId, userId }));
      for (const token of [stranger, viewer]) {
        await expectSame(404, 3, ...requests.map((request) => ({ ...call, request, token })));
      }
    }
    const about = ["never", "ann", "cid", "root"].map((userId) => ({ authorizationId: "a4", userId }));
    await expectSame(400, 1, ...about.map((request) => ({ ...call, request, token: viewer })));
    const own = await database.token("bob");
    await expectSame(403, 1, ...about.map((request) => ({ ...call, request, token: own })));
  });

  test("CheckRoles, of users, projects, organizations and roles", async () => {
    const call = { rpc: "CheckRoles", service: "authorization.v2.CheckService", token: stranger };
    const hidden = { userId: "ann", projectId: "shop", organizationId: "acme", roleKeys: ["seller"] };
    const others = [{ userId: "never" }, { projectId: "never" }, { organizationId: "never" }, { roleKeys: ["never"] }];
    const items = [hidden, ...others.map((other) => ({ ...hidden, ...other }))];
    // From now on its caller is remembered, whatever ran before.
    await observed({ ...call, request: { items: [] } });
    await expectSame(200, 1, ...items.map((item) => ({ ...call, request: { items: [item] } })));
    // There is something to be hidden.
    const seen = await server.callService(`${call.service}/${call.rpc}`, { items: [hidden] }, { token: root });
    expect(seen.body.results[0].success.held).toHaveLength(1);
  });

  test("ListOrganizations, ListProjects and ListUsers, in rows and totals, by whatever they are searched", async () => {
    const startingWith = (text: string) => ({ text, method: "TEXT_FILTER_METHOD_STARTS_WITH" });
    const lookUps = [
      ["ListOrganizations", { ids: { ids: ["acme"] } }, { ids: { ids: ["never"] } }],
      ["ListOrganizations", { name: { text: "Acme" } }, { name: { text: "Never" } }],
      ["ListProjects", { ids: { ids: ["depot"] } }, { ids: { ids: ["never"] } }],
      ["ListProjects", { name: { text: "Depot" } }, { name: { text: "Never" } }],
      ["ListProjects", { inOrganizationId: { id: "initech" } }, { inOrganizationId: { id: "never" } }],
      // One id, or a whole login name, would be found by whoever may assign roles.
      ["ListUsers", { ids: { ids: ["ann", "adam"] } }, { ids: { ids: ["never", "ever"] } }],
      ["ListUsers", { preferredLoginName: startingWith("ann@") }, { preferredLoginName: startingWith("never@") }],
      ["ListUsers", { name: { text: "ann of acme" } }, { name: { text: "never" } }],
      ["ListUsers", { organizationId: { id: "acme" } }, { organizationId: { id: "never" } }],
    ] as const;
    for (const [rpc, hidden, never] of lookUps) {
      for (const more of [{}, { pagination: { skipTotal: true } }, { pagination: { offset: 5 } }]) {
        const calls = [hidden, never].map((filter) => ({
          ...{ rpc, token: stranger, service: "directory.v1.DirectoryService" },
          request: { filters: [filter], ...more },
        }));
        await expectSame(200, 1, ...calls);
      }
      // There is something to be hidden.
      const seen = await server.callDirectory(rpc, { filters: [hidden] }, { token: root });
      expect(seen.body.pagination.totalResult).toBeGreaterThan(0);
    }
  });

  test("ListAdministrators, in rows and totals, by user, scope and role", async () => {
    const call = { token: stranger, service: "directory.v1.DirectoryService", rpc: "ListAdministrators" };
    const pairs = [
      [{ userId: "root" }, { userId: "never" }],
      [{ organizationId: "acme" }, { organizationId: "never" }],
      [{ projectId: "shop" }, { projectId: "never" }],
      [{ projectGrantId: "shop-to-initech" }, { projectGrantId: "never" }],
      [{ role: "IAM_OWNER" }, { role: "IAM_NEVER" }],
    ];
    for (const pair of pairs) {
      for (const more of [{}, { pagination: { skipTotal: true } }, { pagination: { offset: 5 } }]) {
        await expectSame(200, 1, ...pair.map((request) => ({ ...call, request: { ...request, ...more } })));
      }
    }
    // There is something to be hidden.
    const seen = await server.callDirectory("ListAdministrators", { userId: "root" }, { token: root });
    expect(seen.body.pagination.totalResult).toBeGreaterThan(0);
  });

  test("ApplyChanges, which looks up nothing for callers without any permission", async () => {
    const call = { token: viewer, service: "directory.v1.DirectoryService" };
    const changes = ["acme", "never"].map((organizationId) => ({ changes: [{ remove: { organizationId } }] }));
    await expectSame(403, 1, ...changes.map((request) => ({ ...call, rpc: "ApplyChanges", request })));
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
      const call = { token: stranger, service: "directory.v1.DirectoryService", rpc: "ApplyChanges" };
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
