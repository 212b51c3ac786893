import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { someToken } from "../oracle/model/list.ts";
import { listModel } from "../support/list-model.ts";
import { anyListCall } from "../support/list-requests.ts";
import { callersOf, mixedWorld } from "../support/mixed-world.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const world = mixedWorld();
const model = listModel(world);
const callers = callersOf(world);
const tokens = new Map<string, string>();
let server: TestServer;
/** Serves the same database, and reads every filtered page in the order of an index, as if much matched. */
let walking: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  await server.database.load(...world);
  for (const caller of callers) tokens.set(caller, await server.database.token(caller));
  walking = await startTestServer({ database: server.database, fewRows: 0 });
});
afterAll(async () => {
  await walking.stop();
  await server.stop();
});

describe("ListAuthorizations", () => {
  test("answers what the in-memory model answers, for any caller, filters, order and page", async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(anyListCall(model, callers), async ({ caller, request }) => {
        const expected = model.list(caller, request);
        for (const each of [server, walking]) {
          const answer = await list(caller, request, each);
          expect(answer.status, JSON.stringify(answer.body)).toBe(200);
          expect({ ...answer, body: withoutToken(answer.body) }).toEqual({ status: 200, body: expected });
        }
        answered += Math.sign(expected.authorizations.length);
      }),
      { seed: 1, numRuns: 150 },
    );
    expect(answered, "runs with rows to compare").toBeGreaterThan(75);
  });

  test("a caller's total equals the number of rows reachable by paging, for every caller, filter and page size", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyListCall(model, callers),
        fc.integer({ min: 1, max: 7 }),
        async ({ caller, request }, pages) => {
          const { asc = false } = request.pagination ?? {};
          const whole = model.list(caller, { ...request, pagination: { limit: 1_000, asc } });
          const total = whole.pagination.totalResult;
          const limit = Math.ceil((total + 1) / pages);
          const reached: string[] = [];
          for (let offset = 0; offset <= total; offset += limit) {
            const { body } = await list(caller, { ...request, pagination: { offset, limit, asc } });
            expect(body.pagination).toMatchObject({ totalResult: total, appliedLimit: limit });
            reached.push(...body.authorizations.map(({ id }: { id: string }) => id));
          }
          expect(reached).toEqual(whole.authorizations.map(({ id }) => id));
        },
      ),
      { seed: 2, numRuns: 60 },
    );
  });

  test("page tokens followed to the end show every row once, in order, whatever the limits on the way", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyListCall(model, callers),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
        async ({ caller, request }, limits) => {
          const { asc = false } = request.pagination ?? {};
          const whole = model.list(caller, { ...request, pagination: { limit: 1_000, asc } });
          for (const each of [server, walking]) {
            const reached: object[] = [];
            let pageToken = "";
            for (let page = 0; page === 0 || pageToken !== ""; page += 1) {
              const limit = (limits[page % limits.length] ?? 1) * Math.ceil((whole.authorizations.length + 1) / 20);
              const { body } = await list(caller, { ...request, pagination: { limit, asc, pageToken } }, each);
              expect(body.pagination.totalResult).toBe(whole.pagination.totalResult);
              reached.push(...body.authorizations);
              pageToken = body.pagination.nextPageToken;
            }
            expect(reached).toEqual(whole.authorizations);
          }
        },
      ),
      { seed: 3, numRuns: 60 },
    );
  });

  test("without the total answers the same page, and 0", async () => {
    await fc.assert(
      fc.asyncProperty(anyListCall(model, callers), async ({ caller, request }) => {
        const { pagination, authorizations } = model.list(caller, request);
        for (const each of [server, walking]) {
          const { body } = await list(
            caller,
            { ...request, pagination: { ...request.pagination, skipTotal: true } },
            each,
          );
          expect(withoutToken(body)).toEqual({ pagination: { ...pagination, totalResult: 0 }, authorizations });
        }
      }),
      { seed: 4, numRuns: 100 },
    );
  });
});

/** The model knows whether there is a next page, and nothing of tokens. */
function withoutToken({ pagination, ...rest }: any) {
  return { pagination: { ...pagination, nextPageToken: pagination.nextPageToken === "" ? "" : someToken }, ...rest };
}

async function list(caller: string, request: object, by = server) {
  const { status, body } = await by.call("ListAuthorizations", request, { token: tokens.get(caller) ?? "" });
  return { status, body };
}
