import { describe, expect, test } from "vitest";
import { type AdministratorEntry, administrator, assign, listed } from "../support/assign.ts";
import { eventsOf } from "../support/events.ts";
import { changedAt, denied, expectRefusal, notFound } from "../support/refusals.ts";
import { type Answer, serveTests } from "../support/server.ts";

const server = await serveTests({ smallWorld: true, poolSize: 10 });
const root = await server.database.token("root");

const old = "2024-01-01T00:00:00Z";

describe.each([
  { rpc: "ActivateAuthorization", from: "inactive", to: "active", event: "user.grant.reactivated" },
  { rpc: "DeactivateAuthorization", from: "active", to: "inactive", event: "user.grant.deactivated" },
] as const)("$rpc", ({ rpc, from, to, event }) => {
  const call = (id: string, more: object = {}, token = root): Promise<Answer> =>
    server.call(rpc, { id, ...more }, { token });
  const assigned = (more: object = {}) => assign(server.database, { state: from, ...more });
  const inState = async (state: string, id: string) => {
    const filters = [{ state: { state: `STATE_${state.toUpperCase()}` } }, { authorizationIds: { ids: [id] } }];
    return (await server.call("ListAuthorizations", { filters }, { token: root })).body.pagination.totalResult;
  };

  test("puts it into the state, answers the new change date, and leaves all else as it was", async () => {
    const { id } = await assigned({ roleKeys: ["seller", "owner"] });
    const before = await listed(server, id, root);
    const { status, body } = await call(id);
    expect({ status, body }).toEqual({ status: 200, body: { changeDate: expect.stringMatching(/^20\d\d-.*Z$/) } });
    expect(body.changeDate > old).toBe(true);
    const after = { ...before, state: `STATE_${to.toUpperCase()}`, changeDate: body.changeDate };
    expect(await listed(server, id, root)).toEqual(after);
  });

  test("appends one event with the state and the roles after it", async () => {
    const { id, userId } = await assigned({ organizationId: "globex", roleKeys: ["seller", "auditor"] });
    const token = await administrator(server.database, { organizationId: "globex", roles: ["ORG_OWNER"] });
    const { body } = await call(id, {}, token);
    expect((await eventsOf(server.database, id)).slice(1)).toEqual([
      {
        type: event,
        time: body.changeDate,
        actor_id: expect.stringMatching(/^user-/),
        user_id: userId,
        project_id: "shop",
        organization_id: "globex",
        project_grant_id: "shop-to-globex",
        role_keys: ["auditor", "seller"],
        state: to,
      },
    ]);
  });

  test("answers the last change date and appends no event when it is there already", async () => {
    const { id } = await assigned({ state: to, changeDate: "2024-01-01T00:00:00.123456Z" });
    for (const more of [{}, { ifUnchangedSince: "2024-01-01T00:00:00.123456Z" }]) {
      const { status, body } = await call(id, more);
      expect({ status, body }).toEqual({ status: 200, body: { changeDate: "2024-01-01T00:00:00.123456Z" } });
    }
    expect(await eventsOf(server.database, id)).toHaveLength(1);
  });

  test("checks in the order seen, permission, date, no change", async () => {
    const [changing, same] = [await assigned(), await assigned({ state: to })];
    const stale = { ifUnchangedSince: "1999-01-01T00:00:00Z" };
    const stranger = await administrator(server.database);
    for (const { id, userId } of [changing, same]) {
      const own = await server.database.token(userId);
      for (const more of [{}, stale]) {
        expectRefusal(await call(id, more, stranger), notFound);
        expectRefusal(await call(id, more, own), denied("user.grant.write"));
      }
      expectRefusal(await call(id, stale), changedAt(old));
      expect(await eventsOf(server.database, id)).toHaveLength(1);
    }
  });

  test.each<[AdministratorEntry, "done" | "denied" | "unseen"]>([
    [{ instance: true, roles: ["IAM_LOGIN_CLIENT"] }, "done"],
    [{ instance: true, roles: ["IAM_OWNER_VIEWER"] }, "denied"],
    [{ organizationId: "globex", roles: ["ORG_USER_MANAGER"] }, "done"],
    [{ organizationId: "globex", roles: ["ORG_OWNER_VIEWER"] }, "denied"],
    [{ projectGrantId: "shop-to-globex", roles: ["PROJECT_GRANT_OWNER"] }, "done"],
    [{ projectGrantId: "shop-to-globex", roles: ["PROJECT_GRANT_OWNER_VIEWER"] }, "denied"],
    [{ projectId: "shop", roles: ["PROJECT_OWNER"] }, "unseen"],
    [{ organizationId: "acme", roles: ["ORG_OWNER"] }, "unseen"],
  ])("by %j on a grant to Globex is %s", async (entry, outcome) => {
    const { id } = await assigned({ organizationId: "globex" });
    const answer = await call(id, {}, await administrator(server.database, entry));
    if (outcome === "done") expect(answer.status).toBe(200);
    else expectRefusal(answer, outcome === "denied" ? denied("user.grant.write") : notFound);
    expect(await inState(to, id)).toBe(outcome === "done" ? 1 : 0);
  });
});

test("UpdateAuthorization leaves the state untouched, and there and back again are two changes", async () => {
  const { id } = await assign(server.database);
  const request = { token: root };
  const dates = [old];
  for (const [rpc, state] of [
    ["DeactivateAuthorization", "STATE_INACTIVE"],
    ["UpdateAuthorization", "STATE_INACTIVE"],
    ["ActivateAuthorization", "STATE_ACTIVE"],
    ["DeactivateAuthorization", "STATE_INACTIVE"],
  ] as const) {
    const more = rpc === "UpdateAuthorization" ? { roleKeys: ["owner"] } : {};
    dates.push((await server.call(rpc, { id, ...more }, request)).body.changeDate);
    expect((await listed(server, id, root)).state).toBe(state);
  }
  const events = await eventsOf(server.database, id);
  expect(events.map(({ time }) => time)).toEqual(dates);
  expect(events.map(({ state, role_keys }) => [state, ...role_keys])).toEqual([
    ["active", "seller"],
    ["inactive", "seller"],
    ["inactive", "owner"],
    ["active", "owner"],
    ["inactive", "owner"],
  ]);
});

test("an inactive authorization can be deleted, and is then neither activated nor deactivated", async () => {
  const { id } = await assign(server.database, { state: "inactive" });
  expect((await server.call("DeleteAuthorization", { id }, { token: root })).status).toBe(200);
  for (const rpc of ["ActivateAuthorization", "DeactivateAuthorization"]) {
    expectRefusal(await server.call(rpc, { id }, { token: root }), notFound);
  }
});
