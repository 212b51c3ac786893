import { describe, expect, test } from "vitest";
import { AuthorizationService } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { assign } from "../support/assign.ts";
import { organization } from "../support/changes.ts";
import { expectError } from "../support/connect-errors.ts";
import { clientOf, renamed, ways } from "../support/protocols.ts";
import { expectRefusal, precondition } from "../support/refusals.ts";
import { errorInfo, serveSmallWorld, serveTests, type TestServer } from "../support/server.ts";
import { services } from "../support/services.ts";

const { server, root: token } = await serveSmallWorld({ poolSize: 10 });
const strict = await serveTests({ database: server.database, mustHaveReasons: true });

type Recorded = { request_id: string; reason: string; actor_id: string | null };

/** The last event of an authorization. */
async function lastEvent(id: string): Promise<Recorded> {
  const [event] = await server.database.query<Recorded>(
    "select request_id, reason, actor_id from events where authorization_id = $1 order by sequence desc limit 1",
    [id],
  );
  return event ?? expect.unreachable("there is no event");
}

/** Each RPC that changes assignments, with a request that changes the given one. */
const changing: Record<string, (of: { id: string }) => object> = {
  CreateAuthorization: () => expect.unreachable("it names no assignment"),
  UpdateAuthorization: ({ id }) => ({ id, roleKeys: ["auditor"] }),
  DeleteAuthorization: ({ id }) => ({ id }),
  ActivateAuthorization: ({ id }) => ({ id }),
  DeactivateAuthorization: ({ id }) => ({ id }),
  BatchCreateAuthorizations: () => expect.unreachable("it names no assignment"),
  BatchUpdateAuthorizations: ({ id }) => ({ items: [{ id, roleKeys: ["auditor"] }] }),
  BatchDeleteAuthorizations: ({ id }) => ({ items: [{ id }] }),
  BatchSetState: ({ id }) => ({ items: [{ id }], state: "STATE_INACTIVE" }),
};
const naming = Object.keys(changing).filter((rpc) => !rpc.includes("Create"));

async function changed(rpc: string): Promise<{ id: string; request: object }> {
  const of = await assign(server.database, { state: rpc.startsWith("Activate") ? "inactive" : "active" });
  return { id: of.id, request: changing[rpc]?.(of) ?? {} };
}

/** Creates an assignment for a new user, and returns its last event. */
async function created(rpc: string, more: object, headers: Record<string, string> = {}): Promise<Recorded> {
  const { id, userId } = await assign(server.database);
  await server.call("DeleteAuthorization", { id }, { token });
  const item = { userId, projectId: "shop", organizationId: "acme", roleKeys: ["seller"] };
  const request = rpc.startsWith("Batch") ? { items: [item], ...more } : { ...item, ...more };
  const { body } = await server.call(rpc, request, { token, headers });
  return lastEvent(rpc.startsWith("Batch") ? body.results[0].success.id : body.id);
}

describe("A reason", () => {
  test("is a field of each changing request: 110, and 4 in ApplyChanges", () => {
    const numbers = Object.fromEntries(
      services
        .filter(({ typeName }) => typeName.includes("uthorizationService") || typeName.includes("DirectoryService"))
        .flatMap(({ methods }) => methods)
        .flatMap(({ name, input }) => (input.field.reason === undefined ? [] : [[name, input.field.reason.number]])),
    );
    expect(numbers).toEqual({
      ...Object.fromEntries(Object.keys(changing).map((rpc) => [rpc, 110])),
      ...{ ApplyChanges: 4, OffboardUser: 110 },
    });
    expect(Object.keys(AuthorizationService.method).length).toBe(Object.keys(changing).length + 1);
  });

  test.each(naming)("%s keeps it in its event", async (rpc) => {
    const { id, request } = await changed(rpc);
    await server.call(rpc, { ...request, reason: `why ${rpc}` }, { token });
    expect(await lastEvent(id)).toEqual({
      request_id: expect.stringMatching(uuid),
      reason: `why ${rpc}`,
      actor_id: "root",
    });
  });

  test.each(["CreateAuthorization", "BatchCreateAuthorizations"])("%s keeps it in its event", async (rpc) => {
    expect(await created(rpc, { reason: "new here" })).toMatchObject({ reason: "new here", actor_id: "root" });
    expect(await created(rpc, {}, { "x-change-reason": "by%20header" })).toMatchObject({ reason: "by header" });
  });
});

describe("The header X-Change-Reason", () => {
  const text = "für Änn 🙂 100 %\nsecond line";

  test.each(ways)("gives the reason in $name, percent-encoded", async (way) => {
    for (const service of [AuthorizationService, renamed(AuthorizationService, alias)]) {
      const { id } = await assign(server.database);
      const client = clientOf(service, way, server.url, token);
      await client.deactivateAuthorization({ id }, { headers: { "x-change-reason": encodeURIComponent(text) } });
      expect((await lastEvent(id)).reason).toBe(text);
    }
  });

  test.each([
    ["the field wins", "field", "header", "field"],
    ["a field of white space alone is none", " \t\n", "header", "header"],
    ["white space around either doesn't count", " field ", "", "field"],
    ["white space in the header doesn't, either", "", "%20%0Aheader%20", "header"],
    ["white space alone is no reason", " ", "%20%09", ""],
  ])("if both are sent: %s", async (_what, reason, header, kept) => {
    const { id } = await assign(server.database);
    const headers = { "x-change-reason": header };
    await server.call("DeactivateAuthorization", { id, reason }, { token, headers });
    expect((await lastEvent(id)).reason).toBe(kept);
  });

  test.each([
    ["an unfinished escape", "50%"],
    ["an escape of something else", "%zz"],
    ["bytes that are not UTF-8", "%ff"],
    ["raw bytes beyond ASCII", "für"],
  ])("is refused with %s, and nothing is changed", async (_what, header) => {
    const { id } = await assign(server.database);
    const sent = { token, headers: { "x-change-reason": header } };
    const answer = await server.call("DeactivateAuthorization", { id }, sent);
    expectError(answer, 400, "invalid_argument", /^reason: the header X-Change-Reason must be percent-encoded UTF-8/);
    expect(answer.body.details[0].type).toBe("buf.validate.Violations");
    expect(await eventCount(id)).toBe(1);
    // A field of its own makes the header superfluous.
    expect((await server.call("DeactivateAuthorization", { id, reason: "fine" }, sent)).status).toBe(200);
  });

  test("follows the rules of the field: up to 500 characters, and none that can't be stored", async () => {
    const { id } = await assign(server.database);
    const call = (reason: string, asHeader: boolean) => {
      const headers = asHeader ? { "x-change-reason": encodeURIComponent(reason) } : {};
      const request = asHeader ? { id, state: undefined } : { id, reason };
      return server.call("DeactivateAuthorization", request, { token, headers });
    };
    for (const asHeader of [false, true]) {
      const long = await call("🙂".repeat(501), asHeader);
      expectError(long, 400, "invalid_argument", "reason: must be at most 500 characters, got 501");
      expect(long.body.details[0].type).toBe("buf.validate.Violations");
      const nul = await call("a\0b", asHeader);
      expectError(nul, 400, "invalid_argument", "reason: must not contain a NUL character or a lone surrogate");
    }
    expect((await call("🙂".repeat(500), true)).status).toBe(200);
    expect((await lastEvent(id)).reason).toBe("🙂".repeat(500));
  });
});

describe("The id of a request", () => {
  test("is made by the server for each request, and is not X-Request-Id", async () => {
    const [one, other] = [await assign(server.database), await assign(server.database)];
    const headers = { "x-request-id": "3b241101-e2bb-4255-8caf-4136c566a962" };
    for (const { id } of [one, other]) await server.call("DeactivateAuthorization", { id }, { token, headers });
    const ids = [(await lastEvent(one.id)).request_id, (await lastEvent(other.id)).request_id];
    expect(new Set([...ids, headers["x-request-id"]]).size).toBe(3);
  });
});

test.each(["BatchCreateAuthorizations", "BatchUpdateAuthorizations", "BatchDeleteAuthorizations"])(
  "Items of %s have no reason of their own",
  async (rpc) => {
    const item = { id: "a1", roleKeys: [], userId: "ann", projectId: "shop", organizationId: "acme" };
    const known = Object.values(AuthorizationService.method).find(({ name }) => name === rpc);
    const [items] = known?.input.fields ?? [];
    const fields = items?.message?.field ?? {};
    const fitting = Object.fromEntries(Object.entries(item).filter(([name]) => name in fields));
    const answer = await server.call(rpc, { items: [fitting, { ...fitting, reason: "mine" }] }, { token });
    expectError(answer, 400, "invalid_argument", "items[1].reason: must be empty: give the reason of the whole batch");
    expect(answer.body.details[0].type).toBe("buf.validate.Violations");
  },
);

describe("With REQUIRE_REASON=true", () => {
  const refusal = precondition("REASON_REQUIRED");

  test.each(naming)("%s needs a reason", async (rpc) => {
    const { id, request } = await changed(rpc);
    for (const reason of [{}, { reason: "" }, { reason: " \n" }]) {
      expectRefusal(await strict.call(rpc, { ...request, ...reason }, { token }), refusal);
    }
    expect(await eventCount(id)).toBe(1);
    const headers = { "x-change-reason": "because" };
    expect((await strict.call(rpc, request, { token, headers })).status).toBe(200);
    expect((await lastEvent(id)).reason).toBe("because");
  });

  test("so does every other RPC whose request has a reason, even if there is nothing to change", async () => {
    const item = { userId: "bea", projectId: "shop", organizationId: "acme" };
    const requests: Record<string, object> = {
      ...{ CreateAuthorization: item, BatchCreateAuthorizations: { items: [item] }, ApplyChanges: { changes: [] } },
      ...{ OffboardUser: { userId: "x", mode: "MODE_SUSPEND" }, CreateToken: {}, RevokeToken: { id: "x" } },
    };
    const others = services
      .flatMap(({ typeName, methods }) => methods.map(({ name, input }) => ({ typeName, name, input })))
      .filter(({ name, input }) => input.field.reason !== undefined && !naming.includes(name));
    expect(others.map(({ name }) => name).toSorted()).toEqual(Object.keys(requests).toSorted());
    for (const { typeName, name } of others) {
      const path = `${typeName.replace("service.", "")}/${name}`;
      expectRefusal(await strict.callService(path, requests[name] ?? {}, { token }), refusal);
    }
  });

  test("but not what has one, dry runs and lists", async () => {
    for (const request of [
      { changes: [], reason: "why not" },
      { changes: [organization("never")], dryRun: true },
    ]) {
      expect((await strict.callDirectory("ApplyChanges", request, { token })).status).toBe(200);
    }
    expect((await strict.call("ListAuthorizations", {}, { token })).status).toBe(200);
  });

  test("credentials, the permission to call at all and broken rules come first; what exists is not looked at", async () => {
    const ann = await server.database.token("ann");
    const reasonOf = async (answer: ReturnType<TestServer["call"]>) => errorInfo(await answer)?.reason;
    expect(await reasonOf(strict.call("DeleteAuthorization", { id: "a1" }, { token: "x" }))).toBe("UNAUTHENTICATED");
    expect(await reasonOf(strict.callDirectory("ApplyChanges", {}, { token: ann }))).toBe("PERMISSION_DENIED");
    expectError(await strict.call("DeleteAuthorization", { id: "" }, { token }), 400, "invalid_argument", /^id: /);
    // Ann may not delete anything, and there is no such assignment.
    expect(await reasonOf(strict.call("DeleteAuthorization", { id: "never" }, { token: ann }))).toBe("REASON_REQUIRED");
  });

  test("the command line needs none", async () => {
    await server.database.import(organization("umbrella"));
    expect(await server.database.query("select from organizations where id = 'umbrella'")).toHaveLength(1);
  });
});

const alias = "zitadel.authorization.v2.AuthorizationService";
const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

async function eventCount(id: string): Promise<number> {
  return (await server.database.query("select from events where authorization_id = $1", [id])).length;
}
