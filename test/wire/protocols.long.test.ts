import { ViolationsSchema } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { Code } from "@connectrpc/connect";
import { describe, expect, test } from "vitest";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { State } from "../../gen/service/authorization/v2/authorization_pb.ts";
import { AuthorizationService } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { DirectoryService } from "../../gen/service/directory/v1/directory_service_pb.ts";
import { hold } from "../support/locks.ts";
import { clientOf, detailOf, errorOf, renamed, type TransportOptions, type Way, ways } from "../support/protocols.ts";
import { scrape } from "../support/scrape.ts";
import { serverInTest, serveSmallWorld } from "../support/server.ts";
import { until } from "../support/until.ts";

const most = 10_000;
const { server, root: token } = await serveSmallWorld({ metrics: true, limits: { maximumRequestBytes: most } });

const calling = (way: Way, options?: TransportOptions, { url } = server) =>
  clientOf(AuthorizationService, way, url, token, options);

/** The header alone, because clients end calls by themselves when they know their timeout. */
function timeout({ protocol }: Way, sent: number | string): Record<string, string> {
  if (protocol === "connect") return { "connect-timeout-ms": String(sent) };
  return { "grpc-timeout": typeof sent === "number" ? `${sent}m` : sent };
}

const lockAll = (database = server.database) => hold(database, "lock table authorizations in access exclusive mode");

describe.each(ways.map((way) => [way.name, way] as const))("%s", (_name, way) => {
  test("creates, updates, deactivates, activates and deletes", async () => {
    const client = calling(way);
    const { id } = await client.createAuthorization({ userId: "cid", projectId: "depot", organizationId: "acme" });
    await client.updateAuthorization({ id, roleKeys: ["keeper"] });
    await client.deactivateAuthorization({ id });
    const one = { filters: [{ filter: { case: "authorizationIds" as const, value: { ids: [id] } } }] };
    const [found] = (await client.listAuthorizations(one)).authorizations;
    expect([found?.state, found?.roles.map(({ key }) => key)]).toEqual([State.INACTIVE, ["keeper"]]);
    await client.activateAuthorization({ id });
    await client.deleteAuthorization({ id });
    expect((await client.listAuthorizations(one)).authorizations).toEqual([]);
  });

  test("carries the code, the message and the reason of a refusal", async () => {
    const error = await errorOf(calling(way).updateAuthorization({ id: "never", roleKeys: [] }));
    const message = "there is no such authorization, or you can't see it";
    expect([error.code, error.rawMessage]).toEqual([Code.NotFound, message]);
    expect(detailOf(error, ErrorInfoSchema)).toMatchObject({
      reason: "AUTHORIZATION_NOT_FOUND",
      domain: "authorization.service",
    });
  });

  test("reports every violation at once", async () => {
    const filters = Array.from({ length: 40 }, () => ({
      filter: { case: "userId" as const, value: { id: "x".repeat(201) } },
    }));
    const error = await errorOf(calling(way).listAuthorizations({ filters }));
    expect(error.code).toBe(Code.InvalidArgument);
    // Trailers have room for twelve.
    expect(detailOf(error, ViolationsSchema).violations).toHaveLength(way.protocol === "grpc" ? 12 : 40);
    expect(error.rawMessage).toMatch(
      /^filters\[0\]\.userId\.id: must be at most 200 characters, got 201; filters\[1\]/,
    );
  });

  test("refuses unacceptable credentials, before anything else is looked at", async () => {
    const client = clientOf(AuthorizationService, way, server.url, "authz_unknown");
    const error = await errorOf(client.updateAuthorization({ id: "" }, { headers: timeout(way, "x") }));
    expect([error.code, error.metadata.get("www-authenticate")]).toEqual([Code.Unauthenticated, "Bearer"]);
    expect(detailOf(error, ErrorInfoSchema).reason).toBe("UNAUTHENTICATED");
  });

  test("ends at the deadline, and cancels the SQL", async () => {
    const lock = await lockAll();
    const error = await errorOf(calling(way).listAuthorizations({}, { headers: timeout(way, 1_000) }));
    expect([error.code, error.rawMessage]).toEqual([Code.DeadlineExceeded, "the operation timed out"]);
    await lock.untilWaiting(0);
    await lock.rollback();
    const over = await errorOf(calling(way).listAuthorizations({}, { headers: timeout(way, 0) }));
    expect(over.code).toBe(Code.DeadlineExceeded);
  });

  test("cancels the SQL of a call that the client cancels", async () => {
    const lock = await lockAll();
    const leaving = new AbortController();
    const left = errorOf(calling(way).listAuthorizations({}, { signal: leaving.signal }));
    await lock.untilWaiting(1);
    leaving.abort();
    expect((await left).code).toBe(Code.Canceled);
    await lock.untilWaiting(0);
    await lock.rollback();
    await until("its line", () =>
      server.log.some(({ code, protocol }) => code === "canceled" && protocol === way.protocol),
    );
  });

  test("is OVERLOADED when too many requests are in flight, and says when to try again", async () => {
    const few = await serverInTest({ database: server.database, limits: { maximumInFlight: 1 } });
    const lock = await lockAll();
    const first = calling(way, {}, few).listAuthorizations({});
    await lock.untilWaiting(1);
    const error = await errorOf(calling(way, {}, few).listAuthorizations({}));
    await lock.rollback();
    expect(error.code).toBe(Code.Unavailable);
    // It is refused before the router, so clients of gRPC know only the HTTP status.
    if (way.protocol === "connect") {
      expect(error.metadata.get("retry-after")).toBe("1");
      expect(detailOf(error, ErrorInfoSchema).reason).toBe("OVERLOADED");
    }
    await first;
    expect(few.log.filter(({ msg }) => msg === "refused")).toMatchObject([
      { rpc: "none", protocol: way.protocol, code: "unavailable", reason: "OVERLOADED" },
    ]);
  });

  test("is RATE_LIMITED over the caller's rate, and says when to try again", async () => {
    const rateLimit = { requests: 1, periodMs: 60_000 };
    const slow = await serverInTest({ database: server.database, limits: { rateLimit } });
    const client = calling(way, {}, slow);
    await client.listAuthorizations({});
    const error = await errorOf(client.listAuthorizations({}));
    expect(error.code).toBe(Code.ResourceExhausted);
    const { reason, metadata } = detailOf(error, ErrorInfoSchema);
    expect(reason).toBe("RATE_LIMITED");
    expect(error.metadata.get("retry-after")).toBe(metadata.retryAfterSeconds);
  });

  test("refuses an unknown service or method as unimplemented", async () => {
    const unknown = renamed(AuthorizationService, "service.authorization.v2.NopeService");
    const error = await errorOf(clientOf(unknown, way, server.url, token).listAuthorizations({}));
    const path = "/service.authorization.v2.NopeService/ListAuthorizations";
    const message = way.protocol === "connect" ? `nothing is served at ${path}` : "HTTP 404";
    expect([error.code, error.rawMessage]).toEqual([Code.Unimplemented, message]);
  });

  test("shows nothing of an unexpected failure", async () => {
    await server.database.query("alter table users rename column display_name to gone");
    const error = await errorOf(calling(way).listAuthorizations({}));
    await server.database.query("alter table users rename column gone to display_name");
    expect([error.code, error.rawMessage, error.details]).toEqual([Code.Internal, "internal error", []]);
  });

  test("refuses those who may not write to the directory before it reads their changes", async () => {
    const client = clientOf(DirectoryService, way, server.url, await server.database.token("ann"));
    const error = await errorOf(client.applyChanges({ changes: [{}] }));
    expect(detailOf(error, ErrorInfoSchema)).toMatchObject({
      reason: "PERMISSION_DENIED",
      metadata: { permission: "directory.write" },
    });
  });

  test("answers with the request's id, and is named in the log and in metrics", async () => {
    const requestId = `as.${way.protocol.replace("_", "-")}.${way.httpVersion}`;
    const before = (await scrape(server.metricsUrl)).values;
    let answered: string | null = null;
    const headers = { "x-request-id": requestId };
    const onHeader = (header: Headers) => {
      answered = header.get("x-request-id");
    };
    await calling(way).listAuthorizations({}, { headers, onHeader });
    const error = await errorOf(calling(way).deleteAuthorization({ id: "" }, { headers }));
    expect([answered, error.metadata.get("x-request-id")]).toEqual([requestId, requestId]);
    const rpc = "service.authorization.v2.AuthorizationService";
    expect(server.log.filter((line) => line.requestId === requestId && line.msg === "answered")).toMatchObject([
      { rpc: `${rpc}/ListAuthorizations`, protocol: way.protocol, code: "ok", status: 200, caller: "root" },
      { rpc: `${rpc}/DeleteAuthorization`, protocol: way.protocol, code: "invalid_argument", caller: "root" },
    ]);
    const series = (name: string) =>
      `authorization_request_duration_seconds_count{rpc="${rpc}/${name}",protocol="${way.protocol}",code="ok"}`;
    const after = (await scrape(server.metricsUrl)).values;
    const name = series("ListAuthorizations");
    expect((after.get(name) ?? 0) - (before.get(name) ?? 0)).toBe(1);
  });
});
