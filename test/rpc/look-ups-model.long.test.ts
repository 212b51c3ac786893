import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anyLookUp } from "../oracle/generate-look-ups.ts";
import { type LookUpRequest, listOrganizations, listProjects, listUsers } from "../oracle/model/look-ups.ts";
import { lookUpRequestOf } from "../oracle/resolve-look-up.ts";
import { worldOf } from "../support/list-model.ts";
import { callersOf, mixedWorld } from "../support/mixed-world.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const lines = mixedWorld();
const callers = callersOf(lines);
const model = worldOf(lines);
const ids = {
  organizations: [...model.organizations.keys()],
  projects: [...model.projects.keys()],
  users: [...model.users.keys()],
};
const models = { ListOrganizations: listOrganizations, ListProjects: listProjects, ListUsers: listUsers };
const anyCall = fc.record({ caller: fc.constantFrom(...callers), planned: anyLookUp(ids) });

const tokens = new Map<string, string>();
let server: TestServer;
/** Serves the same database, and reads every filtered page in the order of an index, as if much matched. */
let walking: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  await server.database.load(...lines);
  for (const caller of callers) tokens.set(caller, await server.database.token(caller));
  walking = await startTestServer({ database: server.database, fewRows: 0 });
});
afterAll(async () => {
  await walking.stop();
  await server.stop();
});

describe("Look-ups", () => {
  test("answer what the in-memory model answers, for any caller, filters and page", async () => {
    const filled = new Set<string>();
    await fc.assert(
      fc.asyncProperty(anyCall, async ({ caller, planned: { lookUp } }) => {
        const request = withinLimit(lookUpRequestOf(model, lookUp));
        const expected: any = models[lookUp.rpc](model, caller, request);
        for (const each of [server, walking]) {
          const { status, body } = await ask(each, caller, lookUp.rpc, request);
          expect({ status, body: withoutToken(body) }).toEqual({ status: 200, body: withoutToken(expected) });
        }
        if (expected.pagination.totalResult > 0) filled.add(`${lookUp.rpc} ${lookUp.assignable ?? false}`);
      }),
      { seed: 1, numRuns: 150 },
    );
    expect([...filled].sort()).toEqual([
      "ListOrganizations false",
      "ListProjects false",
      "ListProjects true",
      "ListUsers false",
    ]);
  });

  test("page tokens followed to the end show every row once, in order, for every caller", async () => {
    for (const caller of callers) {
      for (const [rpc, field, more] of [
        ["ListOrganizations", "organizations", {}],
        ["ListProjects", "projects", {}],
        ["ListProjects", "projects", { assignable: true }],
        ["ListUsers", "users", {}],
      ] as const) {
        const reached: object[] = [];
        let pageToken = "";
        do {
          const pagination = { limit: 1 + (reached.length % 3), pageToken, skipTotal: reached.length % 2 === 1 };
          const { body } = await ask(server, caller, rpc, { pagination, ...more });
          reached.push(...body[field]);
          pageToken = body.pagination.nextPageToken;
        } while (pageToken !== "");
        const whole: any = models[rpc](model, caller, { pagination: { limit: 1_000 }, ...more });
        expect(reached, `${caller}, ${rpc}`).toEqual(whole[field]);
      }
    }
  });
});

function ask(to: TestServer, caller: string, rpc: string, request: object) {
  return to.callDirectory(rpc, request, { token: tokens.get(caller) ?? "" });
}

function withinLimit({ pagination, ...request }: LookUpRequest): LookUpRequest {
  const limit = Math.min(pagination?.limit ?? 0, 1_000);
  return { ...request, pagination: { ...pagination, limit } };
}

/** What a token looks like is nobody's promise; that there is one is. */
function withoutToken({ pagination, ...body }: any): object {
  return { ...body, pagination: { ...pagination, nextPageToken: pagination.nextPageToken !== "" } };
}
