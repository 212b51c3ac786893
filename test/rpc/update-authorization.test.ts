import { describe, expect, test } from "vitest";
import { assign, listed } from "../support/assign.ts";
import { eventsOf } from "../support/events.ts";
import { type Answer, serverInTest, serveSmallWorld } from "../support/server.ts";

const { server, root } = await serveSmallWorld();

function update(request: object, token = root): Promise<Answer> {
  return server.call("UpdateAuthorization", request, { token });
}

function keysOf(authorization: any): string[] {
  return authorization.roles.map((each: any) => each.key);
}

describe("UpdateAuthorization", () => {
  test("replaces the whole set of role keys and answers the change date that is stored, listed and the event's", async () => {
    const { id, userId } = await assign(server.database, { roleKeys: ["seller", "owner"] });
    const before = await listed(server, id, root);
    const answer = await update({ id, roleKeys: ["owner", "auditor"] });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(Object.keys(answer.body)).toEqual(["changeDate"]);
    const { changeDate } = answer.body;
    expect(changeDate).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?Z$/);
    expect(Math.abs(Date.parse(changeDate) - Date.now())).toBeLessThan(60_000);
    expect(await listed(server, id, root)).toEqual({
      ...before,
      changeDate,
      roles: [
        { key: "auditor", displayName: "Auditor", group: "control" },
        { key: "owner", displayName: "Owner", group: "" },
      ],
    });
    expect((await eventsOf(server.database, id)).at(-1)).toEqual({
      type: "user.grant.changed",
      time: changeDate,
      actor_id: "root",
      user_id: userId,
      project_id: "shop",
      organization_id: "acme",
      project_grant_id: "",
      role_keys: ["auditor", "owner"],
      state: "active",
    });
  });

  test("may empty the set, by an empty list or by no list at all", async () => {
    for (const request of [{ roleKeys: [] }, {}]) {
      const { id } = await assign(server.database);
      expect((await update({ id, ...request })).status).toBe(200);
      expect((await listed(server, id, root)).roles).toEqual([]);
      expect((await eventsOf(server.database, id)).at(-1)).toMatchObject({ type: "user.grant.changed", role_keys: [] });
      expect((await update({ id, roleKeys: ["seller"] })).status).toBe(200);
      expect(keysOf(await listed(server, id, root))).toEqual(["seller"]);
    }
  });

  test("is seen by the very next request, also through another server on the same database", async () => {
    const other = await serverInTest({ database: server.database });
    const { id } = await assign(server.database);
    for (const key of ["owner", "auditor", "seller", "owner"]) {
      const { body } = await update({ id, roleKeys: [key] });
      for (const each of [other, server]) {
        expect(await listed(each, id, root)).toMatchObject({ changeDate: body.changeDate, roles: [{ key }] });
      }
      const again = await other.call("UpdateAuthorization", { id, roleKeys: [key] }, { token: root });
      expect(again.body).toEqual(body);
    }
  });

  test("gives a change date later than the stored one, even when that lies in the future", async () => {
    const { id } = await assign(server.database, { changeDate: "2999-12-31T23:59:59.999999Z" });
    expect((await update({ id, roleKeys: [] })).body).toEqual({ changeDate: "3000-01-01T00:00:00Z" });
    expect((await update({ id, roleKeys: ["owner"] })).body).toEqual({ changeDate: "3000-01-01T00:00:00.000001Z" });
    expect((await listed(server, id, root)).changeDate).toBe("3000-01-01T00:00:00.000001Z");
    const times = ["2024-01-01T00:00:00Z", "3000-01-01T00:00:00Z", "3000-01-01T00:00:00.000001Z"];
    expect((await eventsOf(server.database, id)).map((event) => event.time)).toEqual(times);
  });
});
