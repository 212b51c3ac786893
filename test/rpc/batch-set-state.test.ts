import { describe, expect, test } from "vitest";
import { assign, listed } from "../support/assign.ts";
import { eventsOf } from "../support/events.ts";
import { itemNotFound } from "../support/refusals.ts";
import { type Answer, serveSmallWorld } from "../support/server.ts";

const { server, root } = await serveSmallWorld();

function set(request: object): Promise<Answer> {
  return server.call("BatchSetState", request, { token: root });
}

const old = "2024-01-01T00:00:00Z";

describe("BatchSetState", () => {
  test.each([
    ["STATE_ACTIVE", "inactive", "active", "user.grant.reactivated"],
    ["STATE_INACTIVE", "active", "inactive", "user.grant.deactivated"],
  ] as const)("puts all that are not there yet into %s, once", async (state, from, to, type) => {
    const [one, other] = [await assign(server.database, { state: from }), await assign(server.database, { state: to })];
    const { body } = await set({
      state,
      items: [{ id: one.id }, { id: other.id }, { id: one.id }, { id: "never was" }],
    });
    const { changeDate, ...rest } = await listed(server, one.id, root);
    expect(rest).toMatchObject({ state, roles: [{ key: "seller" }] });
    expect(body).toEqual({
      results: [
        { success: { changeDate } },
        { success: { changeDate: old } },
        { success: { changeDate } },
        itemNotFound,
      ],
    });
    expect(await eventsOf(server.database, one.id)).toMatchObject([
      { state: from },
      { type, state: to, time: changeDate, role_keys: ["seller"] },
    ]);
    expect(await eventsOf(server.database, other.id)).toHaveLength(1);
  });

  test("needs one of the two states", async () => {
    for (const request of [{ items: [] }, { state: "STATE_UNSPECIFIED", items: [] }, { state: 3, items: [] }]) {
      expect((await set(request)).body).toMatchObject({
        code: "invalid_argument",
        message: expect.stringMatching(/^state: /),
      });
    }
  });
});

test.each([
  ["ActivateAuthorization", "inactive", "STATE_ACTIVE"],
  ["DeactivateAuthorization", "active", "STATE_INACTIVE"],
] as const)("%s answers the new change date, and leaves all else as it was", async (rpc, from, state) => {
  const { id } = await assign(server.database, { state: from, roleKeys: ["seller", "owner"] });
  const before = await listed(server, id, root);
  const { status, body } = await server.call(rpc, { id }, { token: root });
  expect({ status, body }).toEqual({ status: 200, body: { changeDate: expect.stringMatching(/^20\d\d-.*Z$/) } });
  expect(body.changeDate > old).toBe(true);
  expect(await listed(server, id, root)).toEqual({ ...before, state, changeDate: body.changeDate });
});
