import { describe, expect, test } from "vitest";
import { type AdministratorEntry, administrator, assign, listed } from "../support/assign.ts";
import { eventsOf } from "../support/events.ts";
import { expectRefusal, notFound } from "../support/refusals.ts";
import { type Answer, bodyOf, serveSmallWorld } from "../support/server.ts";

const { server, root } = await serveSmallWorld();

function remove(request: object, token = root): Promise<Answer> {
  return server.call("DeleteAuthorization", request, { token });
}

describe("DeleteAuthorization", () => {
  test("removes it and answers the date of its event", async () => {
    const { id, userId } = await assign(server.database, { organizationId: "globex", roleKeys: ["seller", "auditor"] });
    const body = await bodyOf(remove({ id }));
    expect(Object.keys(body)).toEqual(["deletionDate"]);
    expect(Math.abs(Date.parse(body.deletionDate) - Date.now())).toBeLessThan(60_000);
    expect(await listed(server, id, root)).toBeUndefined();
    expect(await server.database.query("select from authorization_roles where authorization_id = $1", [id])).toEqual(
      [],
    );
    expect((await eventsOf(server.database, id)).slice(1)).toEqual([
      {
        type: "user.grant.removed",
        time: body.deletionDate,
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
});
