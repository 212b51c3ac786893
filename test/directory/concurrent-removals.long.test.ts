import { describe, expect, test } from "vitest";
import { assign, listed } from "../support/assign.ts";
import { apply, applyChanges, organization, projectGrant, remove, removeRole } from "../support/changes.ts";
import { eventsOf } from "../support/events.ts";
import { freshServerForEach } from "../support/fresh-worlds.ts";
import { type HeldTransaction, hold } from "../support/locks.ts";
import { expectRefusal, notFound, rolesNotFound } from "../support/refusals.ts";
import type { Answer, TestServer } from "../support/server.ts";
import { user } from "../support/world.ts";

let server: TestServer;
let root: string;
freshServerForEach({ poolSize: 10 }, (...given) => {
  [server, root] = given;
});

/** Changes of the directory come as far as the statement that appends events, and no further. */
const stopBeforeEvents = (): Promise<HeldTransaction> =>
  hold(server.database, "lock table events in share row exclusive mode");

/** A change of the authorization has entered the project, and gets no further. */
const stopAt = (...ids: string[]): Promise<HeldTransaction> =>
  hold(server.database, "select from authorizations where id = any($1) for update", [ids]);

const update = (id: string, ...roleKeys: string[]): Promise<Answer> =>
  server.call("UpdateAuthorization", { id, roleKeys }, { token: root });

const typesOf = async (id: string) =>
  (await eventsOf(server.database, id)).map(({ type, role_keys }) =>
    [type.replace("user.grant.", ""), ...role_keys].join(" "),
  );

const ways: [string, object][] = [
  ["a role removed from the project", removeRole("shop", "auditor")],
  ["a key removed from the grant", projectGrant("shop-to-globex", "shop", "globex", "seller")],
];

describe.each(ways)("%s, while updates that give it are on their way,", (_way, change) => {
  const assigned = () => assign(server.database, { organizationId: "globex" });

  test("leaves those that came before", async () => {
    const { id } = await assigned();
    const held = await stopAt(id);
    const [updating, removing] = await held.holdUp([
      () => update(id, "auditor", "seller"),
      () => applyChanges(server, root, [change]),
    ]);
    expect([updating.status, removing.status]).toEqual([200, 200]);
    expect(await typesOf(id)).toEqual(["added seller", "changed auditor seller", "cascade.changed seller"]);
  });

  test("refuses those that come after, and only them", async () => {
    const [giving, without] = [await assigned(), await assigned()];
    const held = await stopBeforeEvents();
    const [removing, refused, done] = await held.holdUp([
      () => applyChanges(server, root, [change]),
      () => update(giving.id, "auditor", "seller"),
      () => update(without.id),
    ]);
    expectRefusal(refused, rolesNotFound("auditor"));
    expect([removing.status, done.status]).toEqual([200, 200]);
    expect(await typesOf(giving.id)).toEqual(["added seller"]);
    expect(await typesOf(without.id)).toEqual(["added seller", "changed"]);
  });

  test("meets an update that takes it away: the authorization is changed once", async () => {
    const { id } = await assign(server.database, { organizationId: "globex", roleKeys: ["auditor"] });
    const held = await stopAt(id);
    const [taking, removing] = await held.holdUp([
      () => update(id, "seller"),
      () => applyChanges(server, root, [change]),
    ]);
    expect([taking.status, removing.status]).toEqual([200, 200]);
    expect(await typesOf(id)).toEqual(["added auditor", "changed seller"]);
  });
});

test("a call that waited for a removal finds the result: delete its date, all others nothing", async () => {
  const held = await stopBeforeEvents();
  const change = (rpc: string) => () => server.call(rpc, { id: "a4" }, { token: root });
  const [removing, deleted, ...others] = await held.holdUp([
    () => applyChanges(server, root, [remove({ userId: "bob" })]),
    ...["DeleteAuthorization", "UpdateAuthorization", "DeactivateAuthorization"].map(change),
  ]);
  expect(removing?.status).toBe(200);
  const [, removal] = await eventsOf(server.database, "a4");
  expect(deleted?.body).toEqual({ deletionDate: removal?.time });
  for (const answer of others) expectRefusal(answer, notFound);
});

test("a request that is first changes the authorization, and the removal waits and follows it", async () => {
  const held = await stopAt("a4", "a6");
  const answers = await held.holdUp([
    () => server.call("DeactivateAuthorization", { id: "a4" }, { token: root }),
    () => server.call("DeleteAuthorization", { id: "a6" }, { token: root }),
    () => applyChanges(server, root, [remove({ userId: "bob" })]),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await typesOf("a4")).toEqual(["added auditor seller", "deactivated auditor seller", "cascade.removed"]);
  expect(await typesOf("a6")).toEqual(["added seller", "removed"]);
});

test("in the meantime, a list shows the complete state from before", async () => {
  const held = await stopBeforeEvents();
  const removing = applyChanges(server, root, [removeRole("shop", "seller"), remove({ organizationId: "globex" })]);
  await held.untilWaiting(1);
  const { body } = await server.call("ListAuthorizations", {}, { token: root });
  expect(body.pagination.totalResult).toBe(6);
  expect((await listed(server, "a4", root)).roles).toHaveLength(2);
  await held.commit();
  await removing;
  expect(await listed(server, "a4", root)).toBeUndefined();
});

test("a call that waited for a change that removes and adds an authorization finds it", async () => {
  const sued = { authorization: { id: "s1", userId: "sue", projectId: "shop", organizationId: "acme" } };
  await apply(server, root, organization("solo"), user("sue", "solo"), sued);
  const held = await stopBeforeEvents();
  const [changing, updating] = await held.holdUp([
    () => applyChanges(server, root, [remove({ organizationId: "solo" }), user("sue", "acme"), sued]),
    () => update("s1", "seller"),
  ]);
  expect([changing.status, updating.status]).toEqual([200, 200]);
  expect(await typesOf("s1")).toEqual(["added", "added", "changed seller"]);
});
