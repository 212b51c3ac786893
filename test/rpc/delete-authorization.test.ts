import { describe, expect, test } from "vitest";
import { removeAuthorizations } from "../support/append-events.ts";
import { type AdministratorEntry, administrator, assign, listed } from "../support/assign.ts";
import { eventsOf } from "../support/events.ts";
import { expectRefusal, notFound } from "../support/refusals.ts";
import { type Answer, serveTests } from "../support/server.ts";

const server = await serveTests({ smallWorld: true });
const root = await server.database.token("root");

function remove(request: object, token = root): Promise<Answer> {
  return server.call("DeleteAuthorization", request, { token });
}

describe("DeleteAuthorization", () => {
  test("removes it and answers the date of its event", async () => {
    const { id, userId } = await assign(server.database, { organizationId: "globex", roleKeys: ["seller", "auditor"] });
    const answer = await remove({ id });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(["deletionDate"]);
    expect(Math.abs(Date.parse(answer.body.deletionDate) - Date.now())).toBeLessThan(60_000);
    expect(await listed(server, id, root)).toBeUndefined();
    expect(await server.database.query("select from authorization_roles where authorization_id = $1", [id])).toEqual(
      [],
    );
    expect((await eventsOf(server.database, id)).slice(1)).toEqual([
      {
        type: "user.grant.removed",
        time: answer.body.deletionDate,
        actor_id: "root",
        user_id: userId,
        project_id: "shop",
        organization_id: "globex",
        project_grant_id: "shop-to-globex",
        role_keys: [],
        state: null,
      },
    ]);
  });

  test("gives a date later than the change date, even when that lies in the future", async () => {
    const { id } = await assign(server.database, { changeDate: "2999-01-01T00:00:00Z" });
    expect((await remove({ id })).body).toEqual({ deletionDate: "2999-01-01T00:00:00.000001Z" });
    expect((await remove({ id })).body).toEqual({ deletionDate: "2999-01-01T00:00:00.000001Z" });
  });
});

describe("Deleting one that was already removed", () => {
  const sides = [
    { side: "owned", organizationId: "acme", holders: [{ organizationId: "acme", roles: ["ORG_OWNER"] }] },
    { side: "granted", organizationId: "globex", holders: [{ organizationId: "globex", roles: ["ORG_USER_MANAGER"] }] },
  ];
  const place = {
    owned: { projectId: "shop", roles: ["PROJECT_OWNER"] },
    granted: { projectGrantId: "shop-to-globex", roles: ["PROJECT_GRANT_OWNER"] },
  };
  const instance: AdministratorEntry = { instance: true, roles: ["IAM_USER_MANAGER"] };

  test.each(sides)(
    "answers the date of its removal to whoever may delete there, and appends no event ($side)",
    async ({ side, organizationId, holders }) => {
      const { id } = await assign(server.database, { organizationId });
      const { body } = await remove({ id });
      for (const entry of [...holders, place[side as keyof typeof place], instance]) {
        const answer = await remove({ id }, await administrator(server.database, entry));
        expect([answer.status, answer.body]).toEqual([200, body]);
      }
      expect(await eventsOf(server.database, id)).toHaveLength(2);
    },
  );

  test("is not found for anyone else: its own user, viewers, administrators elsewhere", async () => {
    const owned = await assign(server.database);
    const granted = await assign(server.database, { organizationId: "globex" });
    for (const { id } of [owned, granted]) await remove({ id });
    const others: [string, AdministratorEntry?][] = [
      [owned.id],
      [owned.id, { organizationId: "globex", roles: ["ORG_OWNER"] }],
      [owned.id, { projectId: "depot", roles: ["PROJECT_OWNER"] }],
      [owned.id, { projectGrantId: "shop-to-globex", roles: ["PROJECT_GRANT_OWNER"] }],
      [owned.id, { organizationId: "acme", roles: ["ORG_OWNER_VIEWER"] }],
      [owned.id, { projectId: "shop", roles: ["PROJECT_OWNER_VIEWER"] }],
      [owned.id, { instance: true, roles: ["IAM_OWNER_VIEWER", "IAM_LOGIN_CLIENT"] }],
      [granted.id, { organizationId: "acme", roles: ["ORG_OWNER"] }],
      [granted.id, { projectId: "shop", roles: ["PROJECT_OWNER"] }],
      [granted.id, { projectGrantId: "shop-to-initech", roles: ["PROJECT_GRANT_OWNER"] }],
      [granted.id, { projectGrantId: "shop-to-globex", roles: ["PROJECT_GRANT_OWNER_VIEWER"] }],
    ];
    for (const [id, entry] of others) {
      const token = await administrator(server.database, entry);
      expectRefusal(await remove({ id }, token), notFound);
    }
    for (const { id, userId } of [owned, granted]) {
      expectRefusal(await remove({ id }, await server.database.token(userId)), notFound);
    }
  });

  test("counts the permission of today, not the one at the time of the removal", async () => {
    const { id } = await assign(server.database);
    const token = await server.database.token("adam");
    const entry = { userId: "adam", organizationId: "acme" };
    await server.database.load({ administrator: { ...entry, roles: ["ORG_OWNER"] } });
    const { body } = await remove({ id }, token);
    await server.database.load({ administrator: { ...entry, roles: ["ORG_OWNER_VIEWER"] } });
    expectRefusal(await remove({ id }, token), notFound);
    await server.database.load({ administrator: { ...entry, roles: [] } });
    expectRefusal(await remove({ id }, token), notFound);
    await server.database.load({ administrator: { ...entry, roles: ["ORG_USER_PERMISSION_EDITOR"] } });
    expect((await remove({ id }, token)).body).toEqual(body);
  });

  test("answers the date of a cascade as well", async () => {
    const { id, userId } = await assign(server.database);
    await server.database.query(
      removeAuthorizations("id = $1", "user.grant.cascade.removed", "'2026-02-03T04:05:06.789Z'"),
      [id],
    );
    expect((await remove({ id })).body).toEqual({ deletionDate: "2026-02-03T04:05:06.789Z" });
    expectRefusal(await remove({ id }, await server.database.token(userId)), notFound);
  });

  test("finds it when it was imported again, and from then on answers the date of the later removal", async () => {
    const { id, userId } = await assign(server.database);
    const first = await remove({ id });
    const authorization = { id, userId, projectId: "shop", organizationId: "acme", roleKeys: ["owner"] };
    await server.database.load({ authorization });
    expect((await listed(server, id, root)).roles).toMatchObject([{ key: "owner" }]);
    const viewer = await administrator(server.database, { organizationId: "acme", roles: ["ORG_OWNER_VIEWER"] });
    expect((await remove({ id }, viewer)).status).toBe(403);
    const second = await remove({ id });
    expect(second.status).toBe(200);
    expect(Date.parse(second.body.deletionDate)).toBeGreaterThanOrEqual(Date.parse(first.body.deletionDate));
    expect(second.body).not.toEqual(first.body);
    expect((await remove({ id })).body).toEqual(second.body);
    expect((await eventsOf(server.database, id)).map((event) => event.type)).toEqual([
      "user.grant.added",
      "user.grant.removed",
      "user.grant.added",
      "user.grant.removed",
    ]);
  });

  test("is not found by who administers another project or grant that has the id of the old one", async () => {
    const { database } = server;
    await database.load(
      { project: { id: "kiosk", organizationId: "acme", name: "Kiosk" } },
      { projectGrant: { id: "kiosk-out", projectId: "kiosk", organizationId: "globex", roleKeys: [] } },
      { authorization: { id: "k1", userId: "ann", projectId: "kiosk", organizationId: "acme" } },
      { authorization: { id: "k2", userId: "bob", projectId: "kiosk", organizationId: "globex" } },
    );
    await database.load({ remove: { projectId: "kiosk" } });
    await database.load(
      { project: { id: "kiosk", organizationId: "globex", name: "Another kiosk" } },
      { projectGrant: { id: "kiosk-out", projectId: "kiosk", organizationId: "initech", roleKeys: [] } },
    );
    const ofProject = await administrator(database, { projectId: "kiosk", roles: ["PROJECT_OWNER"] });
    const ofGrant = await administrator(database, { projectGrantId: "kiosk-out", roles: ["PROJECT_GRANT_OWNER"] });
    for (const token of [ofProject, ofGrant]) expectRefusal(await remove({ id: "k1" }, token), notFound);
    expectRefusal(await remove({ id: "k2" }, ofGrant), notFound);
    // Globex owns the project today. Its organization still is where k2 was, but the project is another one.
    expectRefusal(await remove({ id: "k2" }, ofProject), notFound);
    const ofGlobex = await administrator(database, { organizationId: "globex", roles: ["ORG_OWNER"] });
    expect((await remove({ id: "k2" }, ofGlobex)).status).toBe(200);
    expect((await remove({ id: "k1" })).status).toBe(200);
  });

  test("is not found by who administers another grant to that organization, or one with the old id elsewhere", async () => {
    const { database } = server;
    const grant = (id: string, projectId: string) => ({
      projectGrant: { id, projectId, organizationId: "globex", roleKeys: [] },
    });
    await database.load(
      { project: { id: "stall", organizationId: "acme", name: "Stall" } },
      { project: { id: "booth", organizationId: "acme", name: "Booth" } },
      grant("stall-out", "stall"),
      { authorization: { id: "s1", userId: "ann", projectId: "stall", organizationId: "globex" } },
    );
    await database.load({ remove: { projectGrantId: "stall-out" } });
    await database.load(grant("stall-again", "stall"), grant("stall-out", "booth"));
    for (const projectGrantId of ["stall-again", "stall-out"]) {
      const token = await administrator(database, { projectGrantId, roles: ["PROJECT_GRANT_OWNER"] });
      expectRefusal(await remove({ id: "s1" }, token), notFound);
    }
    expect((await remove({ id: "s1" })).status).toBe(200);
  });
});
