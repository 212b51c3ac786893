import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listModel } from "../support/list-model.ts";
import { anyListCall } from "../support/list-requests.ts";
import { callersOf, mixedWorld } from "../support/mixed-world.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const world = mixedWorld();
const model = listModel(world);
const callers = callersOf(world);
const tokens = new Map<string, string>();
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  await server.database.load(...world);
  for (const caller of callers) tokens.set(caller, await server.database.token(caller));
});
afterAll(() => server.stop());

describe("ListAuthorizations", () => {
  test("answers what the in-memory model answers, for any caller, filters, order and page", async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(anyListCall(model, callers), async ({ caller, request }) => {
        const expected = model.list(caller, request);
        const answer = await list(caller, request);
        expect(answer).toEqual({ status: 200, body: expected });
        answered += Math.sign(expected.authorizations.length);
      }),
      { seed: 1, numRuns: 300 },
    );
    expect(answered, "runs with rows to compare").toBeGreaterThan(150);
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
            expect(body.pagination).toEqual({ totalResult: total, appliedLimit: limit });
            reached.push(...body.authorizations.map(({ id }: { id: string }) => id));
          }
          expect(reached).toEqual(whole.authorizations.map(({ id }) => id));
        },
      ),
      { seed: 2, numRuns: 60 },
    );
  });
});

async function list(caller: string, request: object) {
  const { status, body } = await server.call("ListAuthorizations", request, { token: tokens.get(caller) ?? "" });
  return { status, body };
}
