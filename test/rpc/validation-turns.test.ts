import { fromJson } from "@bufbuild/protobuf";
import { afterEach, expect, test, vi } from "vitest";
import { AuthorizationService } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { requireValidRequest } from "../../src/rpc/interceptors/validation.ts";

const { listAuthorizations, batchCreateAuthorizations } = AuthorizationService.method;
const filter = { inUserIds: { ids: ["a", "b"] } };
const item = { userId: "a", projectId: "b", organizationId: "c", roleKeys: ["d"] };

afterEach(() => vi.restoreAllMocks());

/** How often others could go before the handler was called. */
async function turnsOf(method: typeof listAuthorizations | typeof batchCreateAuthorizations, json: object) {
  let turns = 0;
  let isDone = false;
  const count = () => {
    if (isDone) return;
    turns += 1;
    setImmediate(count);
  };
  setImmediate(count);
  const message = fromJson(method.input, json as never);
  const isReached = vi.fn(async () => ({}) as never);
  await requireValidRequest(isReached)({ stream: false, method, message } as never);
  expect(isReached).toHaveBeenCalledOnce();
  isDone = true;
  return turns;
}

test.each([
  ["filter", listAuthorizations, { filters: Array.from({ length: 50 }, () => filter) }],
  ["item of a batch", batchCreateAuthorizations, { items: Array.from({ length: 50 }, () => item) }],
] as const)(
  "Small requests are answered between one %s and the next, when each takes long",
  async (_, method, json) => {
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => {
      now += 11;
      return now;
    });
    // Twice for each: by its rules, and by what can be stored.
    expect(await turnsOf(method, json)).toBeGreaterThanOrEqual(100);
  },
);

test("A request that is validated quickly doesn't wait for others", async () => {
  vi.spyOn(performance, "now").mockReturnValue(0);
  expect(await turnsOf(listAuthorizations, { filters: [filter, filter] })).toBe(0);
});
