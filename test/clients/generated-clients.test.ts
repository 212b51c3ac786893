import { timestampDate } from "@bufbuild/protobuf/wkt";
import { type Client, Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport as createNodeTransport } from "@connectrpc/connect-node";
import { createConnectTransport as createWebTransport } from "@connectrpc/connect-web";
import { beforeAll, describe, expect, test } from "vitest";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { State } from "../../gen/service/authorization/v2/authorization_pb.ts";
import { AuthorizationService } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { CallerService } from "../../gen/service/authorization/v2/caller_service_pb.ts";
import { assign } from "../support/assign.ts";
import { hold } from "../support/locks.ts";
import { serveTests } from "../support/server.ts";

const server = await serveTests({ smallWorld: true });
const token = await server.database.token("root");

type Options = { baseUrl: string; useBinaryFormat: boolean };
const transports: [string, (options: Options) => Transport, boolean][] = [
  ["connect-node", (options) => createNodeTransport({ ...options, httpVersion: "1.1" }), false],
  ["connect-node", (options) => createNodeTransport({ ...options, httpVersion: "1.1" }), true],
  ["connect-web", createWebTransport, false],
  ["connect-web", createWebTransport, true],
];

describe.each(transports)("A generated client over %s (%#)", (_, createTransport, useBinaryFormat) => {
  let client: Client<typeof AuthorizationService>;
  let headers: { authorization: string };

  beforeAll(() => {
    client = createClient(AuthorizationService, createTransport({ baseUrl: server.url, useBinaryFormat }));
    headers = { authorization: `Bearer ${token}` };
  });

  async function failure(call: Promise<unknown>): Promise<ConnectError> {
    return call.then(
      () => expect.unreachable("the call was to fail"),
      (error) => ConnectError.from(error),
    );
  }

  test("reads what is stored, to the microsecond", async () => {
    const filters = [{ filter: { case: "authorizationIds" as const, value: { ids: ["a2", "a3"] } } }];
    const { pagination, authorizations } = await client.listAuthorizations(
      { filters, pagination: { limit: 10, asc: true } },
      { headers },
    );
    expect(pagination).toMatchObject({ totalResult: 2, appliedLimit: 10 });
    expect(authorizations.map(({ creationDate }) => creationDate)).toMatchObject([
      { seconds: BigInt(Date.UTC(2024, 0, 2) / 1000), nanos: 500_000_000 },
      { seconds: BigInt(Date.UTC(2024, 0, 3) / 1000), nanos: 1_000 },
    ]);
    expect(authorizations[0]).toMatchObject({
      id: "a2",
      project: { id: "shop", name: "Shop", organizationId: "acme" },
      organization: { id: "acme", name: "Acme" },
      user: { id: "adam", preferredLoginName: "adam@acme.example", organizationId: "acme" },
      state: State.ACTIVE,
      roles: [{ key: "auditor", displayName: "Auditor", group: "control" }],
    });
    expect(authorizations[1]?.roles).toEqual([]);
  });

  test("makes, changes and removes an authorization", async () => {
    const { id: old, userId } = await assign(server.database);
    await client.deleteAuthorization({ id: old }, { headers });
    const made = await client.createAuthorization(
      { userId, projectId: "shop", organizationId: "acme", roleKeys: ["seller"] },
      { headers },
    );
    const off = await client.deactivateAuthorization({ id: made.id }, { headers });
    const on = await client.activateAuthorization({ id: made.id, ifUnchangedSince: off.changeDate }, { headers });
    const changed = await client.updateAuthorization({ id: made.id, roleKeys: [] }, { headers });
    const removed = await client.deleteAuthorization({ id: made.id }, { headers });
    const dates = [made.creationDate, off.changeDate, on.changeDate, changed.changeDate, removed.deletionDate];
    const instants = dates.map((date) => date && date.seconds * 1_000_000_000n + BigInt(date.nanos));
    expect(instants).toEqual([...new Set(instants)].sort());
    expect(Math.abs(Date.now() - timestampDate(made.creationDate ?? expect.unreachable()).getTime())).toBeLessThan(
      60_000,
    );
  });

  test("learns who it is, and why it may do what", async () => {
    const asking = createClient(CallerService, createTransport({ baseUrl: server.url, useBinaryFormat }));
    const { user, permissions } = await asking.getCaller({}, { headers });
    expect(user).toMatchObject({ id: "root", displayName: "root of acme", organizationId: "acme" });
    const everywhere = { scope: { scope: { case: "instance", value: true } }, roles: ["IAM_OWNER"] };
    expect(permissions).toHaveLength(10);
    expect(permissions[0]).toMatchObject({ permission: "user.grant.read", sources: [everywhere] });
    const explained = await asking.explainAccess({ authorizationId: "a4", userId: "bob" }, { headers });
    expect(explained).toMatchObject({ user: { id: "bob" }, sees: true, own: true });
    const [read] = explained.permissions;
    expect(read).toMatchObject({ held: false, sources: [], moreSources: false });
    expect(read?.missing.map(({ scope }) => scope?.scope)).toMatchObject([
      { case: "instance", value: true },
      { case: "organization", value: { id: "globex", name: "Globex" } },
      {
        case: "projectGrant",
        value: {
          id: "shop-to-globex",
          project: { id: "shop", name: "Shop", organizationId: "acme" },
          organization: { id: "globex", name: "Globex" },
        },
      },
    ]);
  });

  test("finds ErrorInfo in a refusal", async () => {
    const error = await failure(client.updateAuthorization({ id: "never" }, { headers }));
    expect(error.code).toBe(Code.NotFound);
    expect(error.findDetails(ErrorInfoSchema)).toMatchObject([
      { reason: "AUTHORIZATION_NOT_FOUND", domain: "authorization.service", metadata: {} },
    ]);
    const unknownRole = await failure(client.updateAuthorization({ id: "a1", roleKeys: ["nope"] }, { headers }));
    expect(unknownRole.code).toBe(Code.FailedPrecondition);
    expect(unknownRole.findDetails(ErrorInfoSchema)).toMatchObject([
      { reason: "ROLE_NOT_FOUND", metadata: { roleKeys: '["nope"]' } },
    ]);
  });

  test("may give a deadline and break off", async () => {
    const lock = await hold(server.database, "lock table authorizations in access exclusive mode");
    const late = await failure(client.listAuthorizations({}, { headers, timeoutMs: 300 }));
    const aborting = new AbortController();
    const breakingOff = failure(client.listAuthorizations({}, { headers, signal: aborting.signal }));
    await lock.untilWaiting(1);
    aborting.abort();
    const brokenOff = await breakingOff;
    await lock.untilWaiting(0);
    await lock.rollback();
    expect([late.code, brokenOff.code]).toEqual([Code.DeadlineExceeded, Code.Canceled]);
  });
});
