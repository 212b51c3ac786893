import { describe, expect, test } from "vitest";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { AuthorizationService } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { expectError } from "../support/connect-errors.ts";
import { clientOf, detailOf, errorOf, renamed, ways } from "../support/protocols.ts";
import { expectRefusal, notFound, unauthenticated } from "../support/refusals.ts";
import { serveSmallWorld } from "../support/server.ts";

const own = "service.authorization.v2.AuthorizationService";
const alias = "zitadel.authorization.v2.AuthorizationService";
const rpcs = Object.values(AuthorizationService.method).map(({ name }) => name);

const { server, root: token } = await serveSmallWorld();

/** As plain HTTP clients call it: without Connect's headers. */
async function post(path: string, body: object, headers: Record<string, string> = {}) {
  const answer = await fetch(`${server.url}/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}`, ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as any };
}

describe("Under another name of a service", () => {
  test.each(rpcs)("%s is served", async (rpc) => {
    const answer = await post(`${alias}/${rpc}`, { unknown: 1 });
    expectError(answer, 400, "invalid_argument", /unknown/);
  });

  test("answers are the same as under its own", async () => {
    const body = { filters: [{ projectId: { id: "shop" } }], pagination: { limit: 2 } };
    const answer = await post(`${alias}/ListAuthorizations`, body);
    expect(answer.body).toEqual((await server.call("ListAuthorizations", body, { token })).body);
    expect(answer.body.pagination).toMatchObject({ totalResult: 5, appliedLimit: 2 });
    expectRefusal(await post(`${alias}/DeleteAuthorization`, { id: "never" }), notFound);
    const unknown = { authorization: "Bearer x" };
    expectRefusal(await post(`${alias}/ListAuthorizations`, {}, unknown), unauthenticated);
  });

  test("Connect-Protocol-Version may be absent, but not another; under its own name it is required", async () => {
    expect((await post(`${alias}/ListAuthorizations`, {})).status).toBe(200);
    expect((await post(`${alias}/ListAuthorizations`, {}, { "connect-protocol-version": "1" })).status).toBe(200);
    const other = await post(`${alias}/ListAuthorizations`, {}, { "connect-protocol-version": "2" });
    expectError(other, 400, "invalid_argument", 'Connect-Protocol-Version must be "1": got "2"');
    expectError(await post(`${own}/ListAuthorizations`, {}), 400, "invalid_argument", /missing required header/);
  });

  test("other services and RPCs are unknown", async () => {
    for (const path of [`${alias}/Nope`, "zitadel.authorization.v2.CallerService/GetCaller", `${alias}s/Nope`]) {
      expectError(await post(path, {}), 404, "unimplemented", `nothing is served at /${path}`);
    }
  });

  test("a request is logged under the service's own name", async () => {
    const answer = await post(`${alias}/ListAuthorizations`, {});
    const id = answer.headers.get("x-request-id");
    const lines = server.log.filter(({ requestId, msg }) => requestId === id && msg === "answered");
    expect(lines).toMatchObject([{ rpc: `${own}/ListAuthorizations`, code: "ok" }]);
  });

  test.each(ways.map((way) => [way.name, way] as const))("generated clients are served in %s", async (_name, way) => {
    const client = clientOf(renamed(AuthorizationService, alias), way, server.url, token);
    expect((await client.listAuthorizations({})).pagination?.totalResult).toBe(6);
    const error = await errorOf(client.activateAuthorization({ id: "never" }));
    expect(detailOf(error, ErrorInfoSchema).reason).toBe("AUTHORIZATION_NOT_FOUND");
  });
});
