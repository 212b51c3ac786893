import { getEventListeners } from "node:events";
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { expect, onTestFinished, test, vi } from "vitest";
import { type CopyClients, keepCopy } from "../../client/copy.js";
import { ErrorInfoSchema } from "../../client/gen/google/rpc/error_details_pb.js";
import { assign } from "../support/assign.ts";
import { apply, entry, remove } from "../support/changes.ts";
import { copyClients, followCopy, seenBy } from "../support/copies.ts";
import { serverInTest, serveSmallWorld } from "../support/server.ts";
import { until } from "../support/until.ts";

const { server, root } = await serveSmallWorld();

const clientsOf = (token: string) => copyClients(() => server.url, token);

/** Resolves once the copy is what a list says. */
async function untilEqual(copy: ReturnType<typeof followCopy>, clients: CopyClients): Promise<void> {
  const listed = await seenBy(clients);
  await until("the copy", () => String(copy.known.rows) === String(listed));
}

const call = async (rpc: string, body: object) =>
  expect((await server.call(rpc, body, { token: root })).status).toBe(200);

test("A copy follows creates, updates, states, ends and removals", async () => {
  const clients = clientsOf(root);
  const copy = followCopy(clients);
  await untilEqual(copy, clients);
  await call("CreateAuthorization", {
    ...{ userId: "nobody", projectId: "depot", organizationId: "acme", roleKeys: ["keeper"] },
    expirationDate: new Date(Date.now() + 1_500).toISOString(),
  });
  await call("DeactivateAuthorization", { id: "a2" });
  await call("UpdateAuthorization", { id: "a4", roleKeys: ["seller"] });
  await call("DeleteAuthorization", { id: "a5" });
  await untilEqual(copy, clients);
  await until("the end", async () => {
    await server.settleEnds();
    return copy.known.rows?.some((row) => row.includes(" nobody depot acme keeper 2 "));
  });
  await untilEqual(copy, clients);
});

test("A copy has only the assignments that were asked for", async () => {
  const { userId } = await assign(server.database);
  const copy = followCopy(clientsOf(root), { userId });
  const one = await until("the copy", () => (copy.known.rows?.length === 1 ? copy.known.rows[0] : undefined));
  expect(one).toContain(` ${userId} shop acme seller `);
  await call("ActivateAuthorization", { id: "a2" });
  await call("DeactivateAuthorization", { id: `of-${userId}` });
  await until("the change", () => copy.known.rows?.[0] !== one);
  expect(copy.known.rows).toHaveLength(1);
});

test("A copy is listed again when the caller's rights change", async () => {
  const clients = clientsOf(await server.database.token("bea"));
  const copy = followCopy(clients);
  await untilEqual(copy, clients);
  const few = copy.known.rows?.length ?? 0;
  await apply(server, root, entry("bea", { organizationId: "acme" }, "ORG_OWNER"));
  await until("more rows", () => (copy.known.rows?.length ?? 0) > few);
  await untilEqual(copy, clients);
  await apply(server, root, remove({ administrator: { userId: "bea", organizationId: "acme" } }));
  await until("fewer rows", () => copy.known.rows?.length === few);
});

/** Clients whose first stream ends after its first message, and whose second one waits until it may begin, or fails. */
function breaking(clients: CopyClients, before: Promise<unknown>, failure?: ConnectError, end = Code.Unavailable) {
  const starts: (string | undefined)[] = [];
  const broken: CopyClients = {
    ...clients,
    history: {
      async *watchAuthorizations(request, options) {
        starts.push(request.start?.case);
        if (starts.length === 2) await before;
        if (starts.length === 2 && failure !== undefined) throw failure;
        for await (const message of clients.history.watchAuthorizations(request, options)) {
          yield message;
          if (starts.length === 1) throw new ConnectError("it broke", end);
        }
      },
    },
  };
  return { starts, broken };
}

test("A copy continues after a break, and is listed again if rights changed meanwhile", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const token = await server.database.token("cid");
  const { broken, starts } = breaking(clientsOf(token), promise);
  const copy = followCopy(broken);
  await until("the break", () => starts.length === 2);
  await apply(server, root, entry("cid", { organizationId: "acme" }, "ORG_OWNER_VIEWER"));
  await call("DeactivateAuthorization", { id: "a1" });
  resolve();
  await untilEqual(copy, clientsOf(token));
  expect(copy.known.rows?.join("\n")).toContain("a1 ann shop acme");
  expect(starts).toEqual([undefined, "resumeToken"]);
});

test("A copy isn't listed again because a place of the caller has another name", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { userId, id } = await assign(server.database);
  await apply(server, root, entry(userId, { organizationId: "acme" }, "ORG_OWNER_VIEWER"));
  const clients = clientsOf(await server.database.token(userId));
  const listAuthorizations = vi.fn(clients.authorizations.listAuthorizations);
  const { broken, starts } = breaking({ ...clients, authorizations: { listAuthorizations } }, promise);
  const copy = followCopy(broken, { userId });
  await until("the break", () => starts.length === 2);
  await apply(server, root, { organization: { id: "acme", name: "Acme of another name" } });
  await call("UpdateAuthorization", { id, roleKeys: ["auditor"] });
  resolve();
  await until("the change", () => copy.known.rows?.[0]?.includes(" auditor "));
  expect(listAuthorizations).toHaveBeenCalledTimes(1);
});

test("A copy starts over when its stream can't be continued", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const info = create(ErrorInfoSchema, { reason: "RESUME_TOKEN_EXPIRED" });
  const expired = new ConnectError("gone", Code.FailedPrecondition, undefined, [
    { desc: ErrorInfoSchema, value: info },
  ]);
  const clients = clientsOf(root);
  const { broken, starts } = breaking(clients, promise, expired);
  const copy = followCopy(broken);
  await until("the break", () => starts.length === 2);
  await call("ActivateAuthorization", { id: "a1" });
  resolve();
  await untilEqual(copy, clients);
  expect(starts).toEqual([undefined, "resumeToken", undefined]);
});

test("A copy outlives its token: the next stream has the next one", async () => {
  const clients = clientsOf(root);
  const { broken, starts } = breaking(clients, Promise.resolve(), undefined, Code.Unauthenticated);
  const copy = followCopy(broken);
  await until("the next stream", () => starts.length === 2);
  await call("DeactivateAuthorization", { id: "a4" });
  await untilEqual(copy, clients);
});

test("A mistake in the program ends a copy", async () => {
  const copy = followCopy({ ...clientsOf(root), history: undefined } as unknown as CopyClients);
  await until("the end", () => copy.known.failure instanceof TypeError);
});

test("A copy is listed with the most rows that the server allows", async () => {
  const few = await serverInTest({ database: server.database, limits: { defaultLimit: 1, maximumLimit: 2 } });
  const clients = clientsOf(root);
  await untilEqual(followCopy({ ...clients, ...copyClients(() => few.url, root) }), clients);
});

test("A list without an answer is given up, and a stream isn't, whatever the transport's deadline", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const asked: (number | undefined)[] = [];
  const clients = {
    authorizations: {
      listAuthorizations: (_: object, { signal }: { signal: AbortSignal }) =>
        asked.length === 2
          ? Promise.resolve({ authorizations: [], pagination: { nextPageToken: "" } })
          : new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new ConnectError("over")))),
    },
    history: {
      async *watchAuthorizations(_: object, { timeoutMs }: { timeoutMs?: number }) {
        asked.push(timeoutMs);
        yield { events: [], resumeToken: "" };
      },
    },
    caller: { getCaller: async () => ({ permissions: [] }) },
  } as unknown as CopyClients;
  const { signal } = new AbortController();
  const first = keepCopy(clients, { signal }).next();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toEqual([0, 0]);
  expect((await first).value).toEqual(new Map());
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("What can't pass with time ends a copy", async () => {
  const copy = followCopy(clientsOf("nothing"));
  await copy.following;
  expect(copy.known.failure).toMatchObject({ code: Code.Unauthenticated });
});

/** Clients whose stream sends one more event after its first message. */
function sending(clients: CopyClients, event: object) {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isTaken = false;
  const sendingClients: CopyClients = {
    ...clients,
    history: {
      async *watchAuthorizations(request, options) {
        for await (const message of clients.history.watchAuthorizations(request, options)) {
          yield message;
          await promise;
          yield { ...message, events: [event as never] };
          isTaken = true;
        }
      },
    },
  };
  return { send: resolve, isTaken: () => isTaken, clients: sendingClients };
}

const secondsOf = (date: string) => ({ seconds: BigInt(Date.parse(date) / 1_000), nanos: 0 });

test("An event that is older than the row changes nothing", async () => {
  const { userId, id } = await assign(server.database);
  const old = { authorizationId: id, type: "user.grant.removed", time: secondsOf("2023-12-31T00:00:00Z") };
  const { send, isTaken, clients } = sending(clientsOf(root), old);
  const copy = followCopy(clients, { userId });
  await until("the copy", () => copy.known.rows?.length === 1);
  send();
  await until("the old event", isTaken);
  expect(copy.known.rows).toHaveLength(1);
});

test("A change from before the end of a row may be committed after it, so it is applied to a row that has ended", async () => {
  const { userId, id } = await assign(server.database, { expirationDate: "2024-06-01T00:00:00Z" });
  const renewed = {
    ...{ authorizationId: id, type: "user.grant.changed", time: secondsOf("2024-05-01T00:00:00Z"), state: 1 },
    ...{ user: { id: userId }, project: { id: "shop" }, organization: { id: "acme" }, roles: [{ key: "auditor" }] },
  };
  const { send, clients } = sending(clientsOf(root), renewed);
  const copy = followCopy(clients, { userId });
  await until("the copy", () => copy.known.rows?.[0]?.includes(" seller 2 "));
  send();
  await until("the change", () => copy.known.rows?.[0]?.includes(" auditor 1 "));
});
