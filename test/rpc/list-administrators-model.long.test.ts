import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ListAdministratorsRequest, listAdministrators } from "../oracle/model/list-administrators.ts";
import { entry, organization, project, projectGrant } from "../support/changes.ts";
import { worldOf } from "../support/list-model.ts";
import { callersOf, mixedWorld } from "../support/mixed-world.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { user } from "../support/world.ts";

/**
 * Two crowded organizations: "crowded" with forty projects, half of them granted to "guests". Some callers have entries on
 * most of them, others on a few; "crammed" has many entries of users who have nothing to do with each other.
 */
const numbers = Array.from({ length: 40 }, (_, index) => index);
const crowds = [
  ...["crowded", "guests", "crammed"].map((id) => organization(id)),
  ...["many", "few", "boss", "guest", "none"].map((id) => user(id, "guests")),
  ...numbers.map((at) => user(`c${at}`, "crowded")),
  ...numbers.map((at) => project(`p${at}`, "crowded")),
  ...numbers.map((at) => project(`q${at}`, "crammed")),
  ...numbers.filter((at) => at % 2 === 0).map((at) => projectGrant(`g${at}`, `p${at}`, "guests")),
  ...numbers.slice(5).map((at) => entry("many", { projectId: `p${at}` }, "PROJECT_OWNER")),
  ...numbers.slice(0, 18).map((at) => entry("many", { projectId: `q${at}` }, "PROJECT_OWNER_VIEWER")),
  ...numbers.slice(0, 3).map((at) => entry("few", { projectId: `p${at}` }, "PROJECT_OWNER_VIEWER")),
  ...numbers
    .filter((at) => at % 2 === 0)
    .map((at) => entry("guest", { projectGrantId: `g${at}` }, "PROJECT_GRANT_OWNER")),
  ...numbers
    .filter((at) => at % 4 === 0)
    .map((at) => entry("few", { projectGrantId: `g${at}` }, "PROJECT_GRANT_OWNER")),
  ...numbers.flatMap((at) =>
    numbers.slice(0, 3).map((more) => entry(`c${at}`, { projectId: `q${(at + more) % 40}` }, "PROJECT_OWNER_VIEWER")),
  ),
  ...numbers.slice(0, 9).map((at) => entry(`c${at}`, { projectId: `p${at}` }, "PROJECT_OWNER_GLOBAL", "PROJECT_OWNER")),
  entry("boss", { organizationId: "crowded" }, "ORG_OWNER_VIEWER"),
  entry("boss", { projectId: "p3" }, "PROJECT_OWNER"),
  entry("boss", { projectGrantId: "g2" }, "PROJECT_GRANT_OWNER_VIEWER"),
  entry("c7", { organizationId: "guests" }, "ORG_OWNER"),
];
const lines = [...mixedWorld(), ...crowds];
const callers = [...callersOf(lines), "none"];
const model = worldOf(lines);
const tokens = new Map<string, string>();
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  await server.database.load(...lines);
  for (const caller of callers) tokens.set(caller, await server.database.token(caller));
});
afterAll(() => server.stop());

const scopes = [
  {},
  ...[{ instance: true as const }, { organizationId: "crowded" }, { organizationId: "acme" }, { projectId: "p7" }],
  ...[{ projectId: "q3" }, { projectId: "nowhere" }, { projectGrantId: "g4" }, { projectGrantId: "g1" }],
];
const requests = scopes.flatMap((scope) =>
  ["", "many", "c7", "few"].flatMap((userId) =>
    ["", "PROJECT_OWNER", "ORG_OWNER", "IAM_OWNER_VIEWER"].map((role) => ({ ...scope, userId, role })),
  ),
) as ListAdministratorsRequest[];

describe("ListAdministrators, for callers of every kind and in crowds,", () => {
  test("answers what the model answers, whatever is asked for", async () => {
    for (const [number, caller] of callers.entries()) {
      for (const [index, request] of requests.entries()) {
        if ((number + index) % 8 > 0) continue;
        const pagination = { limit: [1, 7, 1_000][index % 3] ?? 1, offset: index % 4, asc: index % 2 === 0 };
        await expectSame(caller, { ...request, pagination });
      }
    }
  });

  test.each([true, false])("page tokens followed to the end show every entry once, in order (asc: %s)", async (asc) => {
    for (const caller of callers) {
      const reached: object[] = [];
      let pageToken = "";
      do {
        const pagination = { asc, limit: 2 + (reached.length % 40), pageToken };
        const { body } = await list(caller, { pagination });
        reached.push(...body.entries);
        pageToken = body.pagination.nextPageToken;
      } while (pageToken !== "");
      const whole: any = listAdministrators(model, caller, { pagination: { asc, limit: 1_000 } });
      expect(reached, caller).toEqual(whole.entries);
    }
  });
});

function list(caller: string, request: object) {
  return server.callDirectory("ListAdministrators", request, { token: tokens.get(caller) ?? "" });
}

async function expectSame(caller: string, request: ListAdministratorsRequest): Promise<void> {
  const { status, body } = await list(caller, request);
  const expected = listAdministrators(model, caller, request);
  expect({ caller, request, status, body: withoutToken(body) }).toEqual({
    ...{ caller, request, status: 200 },
    body: withoutToken(expected),
  });
}

/** What a token looks like is nobody's promise; that there is one is. */
function withoutToken({ pagination, ...body }: any): object {
  return { ...body, pagination: { ...pagination, nextPageToken: pagination.nextPageToken !== "" } };
}
