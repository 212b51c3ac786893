import { AuthorizationHistoryService, type WatchAuthorizationsRequest } from "@authorization-service/client";
import { Code, ConnectError, createRouterTransport, type HandlerContext } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { eventFilterOf, isNew } from "../../src/assignments/news.ts";
import { follow } from "../../src/live/use-news.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Serve = (
  asked: WatchAuthorizationsRequest,
  context: HandlerContext,
) => AsyncIterable<{ events?: { id: string }[]; resumeToken: string; rightsChanged?: boolean }>;

/** Follows a server that answers as told. Resolves to what it was asked, and what was heard. */
function following(serve: Serve) {
  const asked: string[] = [];
  const heard: string[] = [];
  const transport = createRouterTransport(({ service }) => {
    service(AuthorizationHistoryService, {
      async *watchAuthorizations(request, context) {
        asked.push(request.start.case === "resumeToken" ? request.start.value : "now");
        for await (const { events = [], ...rest } of serve(request, context)) {
          yield { events: events.map(({ id }) => ({ authorizationId: id })), ...rest };
        }
      },
    });
  });
  const stop = follow(transport, [], (events, mustRepeat) =>
    heard.push(...events.map(({ authorizationId }) => authorizationId), ...(mustRepeat ? ["repeat"] : [])),
  );
  return { asked, heard, stop };
}

it("continues behind what was sent when a stream ends, as servers end them now and then", async () => {
  const { asked, heard, stop } = following(async function* ({ start }) {
    const at = start.case === "resumeToken" ? Number(start.value) : 0;
    yield { events: [{ id: `a${at}` }], resumeToken: String(at + 1) };
  });
  await vi.advanceTimersByTimeAsync(2_500);
  stop();
  expect(asked).toEqual(["now", "1", "2"]);
  expect(heard).toEqual(["a0", "a1", "a2"]);
});

it("hears of events and of changed rights, and nothing of a stream that only says that it is there", async () => {
  const { heard, stop } = following(async function* () {
    yield { resumeToken: "1" };
    yield { resumeToken: "2", rightsChanged: true };
    yield { events: [{ id: "a" }], resumeToken: "3" };
    await new Promise(() => {});
  });
  await vi.advanceTimersByTimeAsync(0);
  stop();
  expect(heard).toEqual(["repeat", "a"]);
});

it("begins anew when a token can't be continued, and then has lists loaded again", async () => {
  // The shortest pause.
  vi.spyOn(Math, "random").mockReturnValue(0);
  onTestFinished(() => void vi.restoreAllMocks());
  const { asked, heard, stop } = following(async function* ({ start }) {
    if (start.case === "resumeToken") throw new ConnectError("expired", Code.FailedPrecondition);
    yield { resumeToken: "1" };
  });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(heard).toEqual([]);
  await vi.advanceTimersByTimeAsync(4_000);
  stop();
  expect(asked.slice(0, 3)).toEqual(["now", "1", "now"]);
  expect(heard).toEqual(["repeat"]);
});

it.each([
  ["leaves a server alone that refuses it five times", Code.ResourceExhausted, 5],
  ["never asks again where there are no streams", Code.Unimplemented, 1],
  ["never asks again without a session", Code.Unauthenticated, 1],
])("%s", async (_what, code, times) => {
  const { asked, stop } = following(async function* () {
    yield* [];
    throw new ConnectError("no", code);
  });
  await vi.advanceTimersByTimeAsync(600_000);
  stop();
  expect(asked).toHaveLength(times);
});

it("events of rows that show them already are not new, nor are changes of others", () => {
  const time = (seconds: number) => ({ seconds: BigInt(seconds), nanos: 0 });
  const rows = [{ id: "a", changeDate: time(5) }] as never;
  const of = (authorizationId: string, seconds: number, type = "user.grant.changed") => {
    return isNew({ authorizationId, type, time: time(seconds) } as never, rows);
  };
  expect([of("a", 5), of("a", 6), of("a", 6, "user.grant.removed")]).toEqual([false, true, true]);
  expect([of("b", 6), of("b", 6, "user.grant.removed"), of("b", 6, "user.grant.added")]).toEqual([false, false, true]);
});

it("filters that the feed has, too, are left to it", () => {
  const filters = [
    { case: "projectId", value: { id: "shop" } },
    { case: "inUserIds", value: { ids: ["ann"] } },
    { case: "inUserIds", value: { ids: ["ann", "bob"] } },
    { case: "state", value: { state: 1 } },
  ].map((filter) => ({ filter }) as never);
  expect(filters.flatMap(eventFilterOf)).toEqual([
    { filter: { case: "projectId", value: { id: "shop" } } },
    { filter: { case: "userId", value: { id: "ann" } } },
  ]);
});
