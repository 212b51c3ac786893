import { describe, expect, test } from "vitest";
import { toRfc3339 } from "../../src/authorization/instant.ts";
import { administrator, assign, listed } from "../support/assign.ts";
import { eventsOf } from "../support/events.ts";
import { hold } from "../support/locks.ts";
import { expectRefusal, precondition } from "../support/refusals.ts";
import { bodyOf, serveSmallWorld } from "../support/server.ts";
import { until } from "../support/until.ts";

const { server, root } = await serveSmallWorld({ poolSize: 10 });

const begin = "2024-01-01T00:00:00Z";
const past = "2024-02-01T00:00:00Z";
const future = "9998-01-01T00:00:00Z";

const notInFuture = precondition("EXPIRATION_NOT_IN_FUTURE");
const call = (rpc: string, request: object, token = root) => server.call(rpc, request, { token });
const update = (id: string, more: object = {}) => call("UpdateAuthorization", { id, roleKeys: ["seller"], ...more });

/** One whose end has passed, but for which nothing was written since. */
const due = (more: object = {}) => assign(server.database, { expirationDate: past, ...more });

async function typesOf(id: string): Promise<string[]> {
  return (await eventsOf(server.database, id)).map(({ type }) => type.replace("user.grant.", ""));
}

async function list(filters: object[], more: object = {}, token = root) {
  const body = await bodyOf(call("ListAuthorizations", { filters, ...more }, token));
  return { total: body.pagination.totalResult, ids: body.authorizations.map(({ id }: any) => id) };
}

const inState = (state: string, ...ids: string[]) => [{ state: { state } }, { authorizationIds: { ids } }];

describe("an end that is given", () => {
  test("must lie after the clock of Postgres, when it is created and when it is updated", async () => {
    const { id, userId } = await assign(server.database);
    const roleKeys = ["seller"];
    const place = { userId, projectId: "shop", organizationId: "globex" };
    expectRefusal(await call("CreateAuthorization", { ...place, roleKeys, expirationDate: past }), notInFuture);
    expectRefusal(await update(id, { expirationDate: past }), notInFuture);
    const items = [
      { id, roleKeys, expirationDate: past },
      { id, roleKeys, expirationDate: future },
    ];
    const { body } = await call("BatchUpdateAuthorizations", { items });
    expect(body.results.map((result: any) => result.error?.reason)).toEqual(["EXPIRATION_NOT_IN_FUTURE", undefined]);
    expect(await listed(server, id, root)).toMatchObject({ expirationDate: future });
  });

  test("is in whole microseconds, before 9999-12-31, and not given and removed at once", async () => {
    const { id } = await assign(server.database);
    for (const [wrong, path] of [
      [{ expirationDate: "9998-01-01T00:00:00.000000001Z" }, "expirationDate"],
      [{ expirationDate: "9999-12-31T00:00:00Z" }, "expirationDate"],
      [{ expirationDate: future, removeExpiration: true }, "expirationDate, removeExpiration"],
    ] as const) {
      const { status, body } = await update(id, wrong);
      expect({ status, code: body.code }).toEqual({ status: 400, code: "invalid_argument" });
      expect(body.message).toContain(path);
    }
  });

  test("that has passed is no change either if it is the same", async () => {
    const { id } = await due();
    expect((await update(id, { expirationDate: past })).body.changeDate).toBe(past);
    expectRefusal(await update(id, { roleKeys: ["owner"], expirationDate: past }), notInFuture);
  });
});

describe("from its end on, though no one has written it, an assignment", () => {
  test("matches filters by its state, its change date and its end, nested ones as well", async () => {
    const { id } = await due();
    const { id: other } = await assign(server.database, { expirationDate: future });
    expect((await list(inState("STATE_ACTIVE", id, other))).ids).toEqual([other]);
    expect((await list(inState("STATE_INACTIVE", id, other))).ids).toEqual([id]);
    const both = { authorizationIds: { ids: [id, other] } };
    const atEnd = { changed: { from: past, to: "2024-02-01T00:00:00.000001Z" } };
    const atStart = { changed: { from: begin, to: past } };
    expect((await list([both, atEnd])).ids).toEqual([id]);
    expect((await list([both, atStart])).ids).toEqual([other]);
    expect((await list([both, { not: atStart }])).ids).toEqual([id]);
    const active = { state: { state: "STATE_ACTIVE" } };
    expect((await list([both, { anyOf: { filters: [active, { roleKey: { key: "none" } }] } }])).ids).toEqual([other]);
    expect((await list([both, { not: active }])).ids).toEqual([id]);
    expect((await list([both, { expires: { to: past } }])).ids).toEqual([]);
    expect((await list([both, { expires: { from: past, to: "2025-01-01T00:00:00Z" } }])).ids).toEqual([id]);
    expect((await list([both, { not: { expires: { from: "2025-01-01T00:00:00Z" } } }])).ids).toEqual([id]);
  });

  test("is read without waiting for the one who holds it", async () => {
    const { id } = await due();
    const holder = await hold(server.database, "select from authorizations where id = $1 for update", [id]);
    expect(await listed(server, id, root)).toMatchObject({ state: "STATE_INACTIVE" });
    await server.settleEnds();
    expect(await typesOf(id)).toEqual(["added"]);
    await holder.rollback();
    await server.settleEnds();
    expect(await typesOf(id)).toEqual(["added", "expired"]);
  });
});

test("the event of an end has neither an actor nor a request, and isn't one of the command line", async () => {
  const { id } = await due();
  await server.settleEnds();
  const rpc = "authorization.v2.AuthorizationHistoryService/ListAuthorizationEvents";
  const of = (...more: object[]) =>
    server.callService(rpc, { filters: [{ authorizationId: { id } }, ...more] }, { token: root });
  const [expired] = (await of()).body.events;
  expect(expired).toMatchObject({ type: "user.grant.expired", time: past, requestId: "" });
  expect(expired).not.toHaveProperty("actor");
  const { events } = (await of({ actorId: { id: "" } })).body;
  expect(events.map(({ type }: any) => type)).toEqual(["user.grant.added"]);
});

test("a change of an ended assignment that waits until the end has passed follows from it", async () => {
  const { id } = await assign(server.database);
  await server.database.query(
    "update authorizations set expiration_date = clock_timestamp() + interval '500 milliseconds' where id = $1",
    [id],
  );
  const holder = await hold(server.database, "select from authorizations where id = $1 for update", [id]);
  const waiting = call("DeactivateAuthorization", { id });
  await holder.untilWaiting(1);
  await until("the end", async () => (await list(inState("STATE_INACTIVE", id))).total === 1);
  await holder.rollback();
  expect((await waiting).status).toBe(200);
  expect(await typesOf(id)).toEqual(["added", "expired", "deactivated"]);
});

test("a change of an ended assignment that waits to write the end writes it with the roles that it then has", async () => {
  const { id } = await due({ roleKeys: ["owner", "seller"] });
  const holder = await hold(
    server.database,
    "delete from authorization_roles where authorization_id = $1 and role_key = 'owner'",
    [id],
  );
  await holder.query("update authorizations set change_date = '2024-01-15' where id = $1", [id]);
  const waiting = call("DeactivateAuthorization", { id });
  await holder.untilWaiting(1);
  await holder.commit();
  expect((await waiting).status).toBe(200);
  const events = await server.database.query(
    "select type, role_keys, role_keys_before from events where authorization_id = $1 order by sequence offset 1",
    [id],
  );
  const roles = { role_keys: ["seller"], role_keys_before: ["seller"] };
  expect(events).toEqual([
    { type: "user.grant.expired", ...roles },
    { type: "user.grant.deactivated", ...roles },
  ]);
});

test("the overview counts the active ones that end within 7 and within 30 days", async () => {
  const [row] = await server.database.query<{ soon: bigint; later: bigint; far: bigint }>(
    "select now() + interval '6 days' as soon, now() + interval '29 days' as later, now() + interval '31 days' as far",
  );
  const date = (instant: bigint | undefined) => toRfc3339(instant ?? 0n);
  const made = [
    await assign(server.database, { expirationDate: date(row?.soon) }),
    await assign(server.database, { expirationDate: date(row?.later) }),
    await assign(server.database, { expirationDate: date(row?.far) }),
    await assign(server.database, { expirationDate: date(row?.soon), state: "inactive" }),
    await due(),
  ];
  const path = "authorization.v2.OverviewService/GetOverview";
  const ask = async (token: string, ...filters: object[]) => {
    const { body } = await server.callService(path, { filters }, { token });
    return [body.endingIn7Days, body.endingIn30Days];
  };
  const inPlace = await administrator(server.database, { projectId: "shop", roles: ["PROJECT_OWNER"] });
  for (const token of [root, inPlace]) {
    expect(await ask(token)).toEqual([1, 2]);
    expect(await ask(token, { authorizationIds: { ids: made.map(({ id }) => id) } })).toEqual([1, 2]);
  }
  expect(await ask(await server.database.token(made[0]?.userId ?? ""))).toEqual([1, 1]);
});
