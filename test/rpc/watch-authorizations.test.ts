import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code, type ConnectError } from "@connectrpc/connect";
import { describe, expect, onTestFinished, test } from "vitest";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import {
  type AuthorizationEventsSearchFilterSchema,
  AuthorizationHistoryService,
  type WatchAuthorizationsRequestSchema,
  type WatchAuthorizationsResponse,
} from "../../gen/service/authorization/v2/authorization_history_service_pb.ts";
import { apply, entry, remove } from "../support/changes.ts";
import { clientOf, type Way, ways } from "../support/protocols.ts";
import { scrape } from "../support/scrape.ts";
import { serveSmallWorld, startTestServer } from "../support/server.ts";
import { until } from "../support/until.ts";

const limits = { maximumStreams: 8, maximumRequestBytes: 4_194_304 };

const { server, root } = await serveSmallWorld({ limits, metrics: true });

type Request = MessageInitShape<typeof WatchAuthorizationsRequestSchema>;
type Filters = MessageInitShape<typeof AuthorizationEventsSearchFilterSchema>[];
const [connect] = ways as [Way];

/** Opens a stream that ends with the test, and returns its next message, or the code and the reason it ended with. */
function open(
  request: Request = {},
  token = root,
  { way = connect, timeoutMs = undefined as number | undefined, at = server } = {},
) {
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const client = clientOf(AuthorizationHistoryService, way, at.url, token);
  const options = { signal: over.signal, ...(timeoutMs !== undefined && { timeoutMs }) };
  const messages = client.watchAuthorizations(request, options)[Symbol.asyncIterator]();
  const next = () =>
    messages.next().then(
      ({ value, done }): WatchAuthorizationsResponse | string => (done ? "end" : value),
      (error) =>
        [Code[error.code], ...(error as ConnectError).findDetails(ErrorInfoSchema).map(({ reason }) => reason)].join(
          " ",
        ),
    );
  async function sent(): Promise<WatchAuthorizationsResponse> {
    const message = await next();
    if (typeof message === "string") throw new Error(`the stream ended: ${message}`);
    return message;
  }
  /** So many events, however many messages they come in. None: those of one message. */
  async function told(count = 0): Promise<string[]> {
    const all: string[] = [];
    do {
      const { events } = await sent();
      all.push(...events.map(({ authorizationId: id, type }) => `${id} ${type.replace("user.grant.", "")}`));
    } while (all.length < count);
    return all;
  }
  return { next, sent, told, end: () => over.abort() };
}

const change = async (rpc: "Activate" | "Deactivate", id = "a1") =>
  expect((await server.call(`${rpc}Authorization`, { id }, { token: root })).status).toBe(200);
const toggle = async (id?: string) => {
  await change("Deactivate", id);
  await change("Activate", id);
};

describe("WatchAuthorizations", () => {
  test.each(ways)("sends an empty message at once, then the events of the history, over $name", async (way) => {
    const stream = open({}, root, { way });
    expect(await stream.told()).toEqual([]);
    await change("Deactivate");
    const { events } = await stream.sent();
    const listed = await clientOf(AuthorizationHistoryService, way, server.url, root).listAuthorizationEvents({
      pagination: { limit: 1 },
    });
    expect(events).toEqual(listed.events);
    await change("Activate");
    expect(await stream.told()).toEqual(["a1 reactivated"]);
  });

  test("sends only what the filters match, and takes a token only with the same filters in any order", async () => {
    const filters = ["a1", "a2"].map((id) => ({ filter: { case: "authorizationId" as const, value: { id } } }));
    const types = { filter: { case: "types" as const, value: { types: ["user.grant.reactivated"] } } };
    const [one, other] = [
      [filters[0], types],
      [types, filters[0]],
    ] as [Filters, Filters];
    const stream = open({ filters: one });
    const { resumeToken } = await stream.sent();
    await toggle();
    expect(await stream.told(1)).toEqual(["a1 reactivated"]);
    const start = { case: "resumeToken" as const, value: resumeToken };
    expect(await open({ filters: other, start }).told(1)).toEqual(["a1 reactivated"]);
    for (const changed of [[], [types], [filters[1], types]] as Filters[]) {
      expect(await open({ filters: changed, start }).next()).toBe("InvalidArgument RESUME_TOKEN_INVALID");
    }
  });

  test("takes nothing for a token that it has not written", async () => {
    const { resumeToken } = await open().sent();
    const [feed, source, next] = JSON.parse(Buffer.from(resumeToken, "base64url").toString());
    const tokens = [
      ...[[], [feed], [feed, source, "x", ""], [feed, source, next, "x"], [feed, source, next, "", source]],
      ...[
        [feed, source, next, "", source, next, "", "-1", "1"],
        [feed, "", "", "", "", "", "", "0", "1"],
      ],
    ].map((parts) => Buffer.from(JSON.stringify(parts)).toString("base64url"));
    for (const value of ["", "none", `${resumeToken}=`, ...tokens]) {
      expect(await open({ start: { case: "resumeToken", value } }).next()).toBe("InvalidArgument RESUME_TOKEN_INVALID");
    }
    const lost = Buffer.from(JSON.stringify([feed, "another", next, ""])).toString("base64url");
    const start = { case: "resumeToken" as const, value: lost };
    expect(await open({ start }).next()).toBe("FailedPrecondition RESUME_TOKEN_EXPIRED");
  });

  test("starts with the oldest event that is kept, and continues from a token", async () => {
    const path = "authorization.v2.AuthorizationHistoryService/ListAuthorizationEvents";
    const { totalResult } = (await server.callService(path, {}, { token: root })).body.pagination;
    const first = await open({ start: { case: "fromBeginning", value: true } }).sent();
    expect(first.events).toHaveLength(totalResult);
    await toggle();
    const start = { case: "resumeToken" as const, value: first.resumeToken };
    expect(await open({ start }).told(2)).toEqual(["a1 deactivated", "a1 reactivated"]);
  });

  test("refuses a request that breaks its rules, and a caller without credentials, in the stream", async () => {
    const filters = [{ filter: { case: "userId" as const, value: { id: "\0" } } }];
    expect(await open({ filters }).next()).toBe("InvalidArgument");
    expect(await open({ start: { case: "fromBeginning", value: false } }).next()).toBe("InvalidArgument");
    expect(await open({}, "none").next()).toBe("Unauthenticated UNAUTHENTICATED");
  });

  test("sends a caller only what it sees, by its rights of each moment", async () => {
    const bob = await server.database.token("bob");
    const stream = open({}, bob);
    await stream.told();
    await toggle("a1");
    await change("Deactivate", "a4");
    expect(await stream.told()).toEqual(["a4 deactivated"]);
    await apply(server, root, entry("bob", { instance: true }, "IAM_OWNER_VIEWER"));
    const granted = await stream.sent();
    expect([granted.rightsChanged, granted.events]).toEqual([true, []]);
    await change("Deactivate", "a1");
    expect(await stream.told()).toEqual(["a1 deactivated"]);
    await apply(server, root, remove({ administrator: { userId: "bob", instance: true } }));
    await change("Activate", "a1");
    await change("Activate", "a4");
    const taken = await stream.sent();
    const rest = taken.events.length > 0 ? taken : await stream.sent();
    expect(taken.rightsChanged).toBe(true);
    expect(rest.events.map(({ authorizationId }) => authorizationId)).toEqual(["a4"]);
  });

  test("ends when its token is revoked, or its client's deadline comes", async () => {
    const token = await server.database.token("bob");
    const stream = open({}, token);
    await stream.told();
    await server.database.query("delete from tokens where user_id = 'bob'");
    await toggle("a4");
    expect(await stream.next()).toBe("Unauthenticated UNAUTHENTICATED");
    const short = open({}, root, { timeoutMs: 300 });
    await short.told();
    expect(await short.next()).toBe("DeadlineExceeded");
  });

  test("has a place among streams, and counts neither as open nor in flight", async () => {
    const ann = await server.database.token("ann");
    const streams = [open(), open(), open(), open()];
    for (const stream of streams) await stream.told();
    expect(await open().next()).toBe("ResourceExhausted RATE_LIMITED");
    const { values } = await scrape(server.metricsUrl);
    const rpc = "service.authorization.v2.AuthorizationHistoryService/WatchAuthorizations";
    expect(values.get(`authorization_open_calls{rpc="${rpc}"}`)).toBe(4);
    expect(values.get("authorization_requests_in_flight")).toBe(0);
    expect(await open({}, ann).told()).toEqual([]);
    streams[0]?.end();
    await until("the place to be free", async () => {
      const again = open();
      return typeof (await again.next()) !== "string";
    });
  });
});

test("A stream that is answered again, because its caller's rights have changed, has one place", async () => {
  const token = await server.database.token("cid");
  expect((await server.call("ListAuthorizations", {}, { token })).status).toBe(200);
  await server.database.load(entry("cid", { organizationId: "initech" }, "ORG_OWNER"));
  for (const _ of "1234") expect(await open({}, token).told()).toEqual([]);
});

test("When the server stops, or MAX_STREAM_MS is over, a stream ends without an error, after a last message from which it can be continued", async () => {
  const { database } = server;
  const one = await startTestServer({ database, limits: { maximumStreamMs: 400 } });
  const timed = open({}, root, { at: one });
  await timed.sent();
  const { resumeToken: last } = await timed.sent();
  expect(await timed.next()).toBe("end");
  const two = await startTestServer({ database });
  const stopped = open({}, root, { at: two });
  await stopped.told();
  const stopping = two.stop({ gently: true });
  const { resumeToken: value } = await stopped.sent();
  expect(await stopped.next()).toBe("end");
  await Promise.all([stopping, one.stop()]);
  await toggle();
  for (const token of [last, value]) {
    const continued = open({ start: { case: "resumeToken", value: token } });
    expect(await continued.told(2)).toEqual(["a1 deactivated", "a1 reactivated"]);
  }
});
