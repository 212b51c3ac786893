import { describe, expect, test } from "vitest";
import { listed } from "../support/assign.ts";
import { apply, entry, organization, project, projectGrant, remove, removeRole } from "../support/changes.ts";
import { eventsOf } from "../support/events.ts";
import { freshServerForEach } from "../support/fresh-worlds.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { stored } from "../support/stored.ts";
import { role, smallWorld, user } from "../support/world.ts";

describe.each(["ApplyChanges", "import"])("First all removals, then all upserts, by %s", (way) => {
  let server: TestServer;
  let root: string;
  const nextWorld = freshServerForEach({}, (...given) => {
    [server, root] = given;
  });

  async function make(...changes: object[]): Promise<void> {
    if (way === "import") await server.database.import(...changes);
    else await apply(server, root, ...changes);
  }

  const newEvents = async (id: string) =>
    (await eventsOf(server.database, id))
      .slice(1)
      .map(({ type, role_keys, state }) => [type.replace("user.grant.", ""), role_keys, state]);

  const named = (id: string, userId: string, projectId: string, organizationId: string, ...roleKeys: string[]) => ({
    authorization: { id, userId, projectId, organizationId, roleKeys },
  });

  test("the order of the changes makes no difference", async () => {
    const changes = [
      organization("umbrella"),
      user("ann", "umbrella"),
      project("lab", "umbrella"),
      role("lab", "k"),
      projectGrant("lab-to-globex", "lab", "globex", "k"),
      entry("ann", { projectGrantId: "lab-to-globex" }, "PROJECT_GRANT_OWNER"),
      named("b1", "ann", "lab", "globex", "k"),
      remove({ organizationId: "initech" }),
      removeRole("shop", "auditor"),
    ];
    const worldsMade: unknown[] = [];
    for (const order of [changes, changes.toReversed(), [...changes.slice(4), ...changes.slice(0, 4)]]) {
      const database = await nextWorld();
      const each = await startTestServer({ database });
      await (way === "import" ? database.import(...order) : apply(each, await database.token("root"), ...order));
      await database.query("update authorizations set creation_date = 'epoch', change_date = 'epoch'");
      worldsMade.push(await stored(database));
      await each.stop();
      await database.drop();
    }
    expect(worldsMade[1]).toEqual(worldsMade[0]);
    expect(worldsMade[2]).toEqual(worldsMade[0]);
  });

  test("a user that goes with its organization and is put into another comes without tokens and entries", async () => {
    const token = await server.database.token("bob");
    await make(entry("bob", { projectId: "shop" }, "PROJECT_OWNER"));
    await make(user("bob", "acme"), remove({ organizationId: "globex" }));
    expect((await server.call("ListAuthorizations", {}, { token })).status).toBe(401);
    const fresh = await server.database.token("bob");
    const { body } = await server.call("ListAuthorizations", {}, { token: fresh });
    expect(body.authorizations).toEqual([]);
    expect(await newEvents("a6")).toEqual([["cascade.removed", [], null]]);
  });

  test("an authorization that follows a removal and is put in place again gets one event: added", async () => {
    await make(remove({ projectGrantId: "shop-to-globex" }), projectGrant("second", "shop", "globex", "owner"), {
      authorization: { id: "a5", userId: "bea", projectId: "shop", organizationId: "globex", roleKeys: ["owner"] },
    });
    expect(await newEvents("a4")).toEqual([["cascade.removed", [], null]]);
    const events = await eventsOf(server.database, "a5");
    expect(events).toHaveLength(2);
    expect(events[1]).toMatchObject({
      type: "user.grant.added",
      actor_id: way === "import" ? null : "root",
      project_grant_id: "second",
      role_keys: ["owner"],
      // New again, so that nothing is left of what it was.
      state: "active",
    });
  });

  test("it may even belong to another user then, with the given dates if they are later", async () => {
    const dates = { creationDate: "2024-03-01T00:00:00Z", changeDate: "2024-03-02T00:00:00.000001Z" };
    const { authorization } = named("a4", "cid", "depot", "acme", "keeper");
    await make(remove({ userId: "bob" }), { authorization: { ...authorization, ...dates } });
    expect((await eventsOf(server.database, "a4")).slice(1)).toMatchObject([
      {
        type: "user.grant.added",
        time: dates.creationDate,
        user_id: "cid",
        project_id: "depot",
        role_keys: ["keeper"],
      },
    ]);
    const [row] = (await server.call("ListAuthorizations", { filters: [{ userId: { id: "cid" } }] }, { token: root }))
      .body.authorizations;
    expect(row).toMatchObject({ id: "a4", state: "STATE_ACTIVE", ...dates });
  });

  test.each([
    [{ creationDate: "2024-01-04T00:00:00Z", changeDate: "2024-01-04T00:00:00Z" }],
    [{ creationDate: "2024-01-04T00:00:00Z" }],
    [{ changeDate: "2024-01-04T00:00:00Z" }],
    [{}],
  ])("and new of now with dates that are not later than its last one: %j", async (dates) => {
    const { authorization } = named("a4", "bob", "shop", "globex");
    await make(remove({ projectGrantId: "shop-to-globex" }), projectGrant("second", "shop", "globex"), {
      authorization: { ...authorization, ...dates },
    });
    const [event] = (await eventsOf(server.database, "a4")).slice(1);
    expect(event?.type).toBe("user.grant.added");
    expect(String(event?.time) > "2026").toBe(true);
    const { creationDate, changeDate } = await listed(server, "a4", root);
    expect([creationDate, changeDate]).toEqual([event?.time, event?.time]);
  });

  test.each(["the same change", "a later one"])(
    "its last date is its change date, also when no event has it: removed and put in place by %s",
    async (when) => {
      const here = (userId: string, creationDate: string, changeDate: string) => ({
        authorization: { ...named("x", userId, "depot", "acme").authorization, creationDate, changeDate },
      });
      await make(here("nobody", "2024-01-01T00:00:00Z", "2999-09-12T00:00:00Z"));
      const again = here("cid", "2024-06-01T00:00:00Z", "2999-01-01T00:00:00Z");
      if (when === "the same change") await make(remove({ userId: "nobody" }), again);
      else {
        await make(remove({ userId: "nobody" }));
        await make(again);
      }
      const after = when === "the same change" ? "2999-09-12T00:00:00.000001Z" : "2999-09-12T00:00:00.000002Z";
      expect(await listed(server, "x", root)).toMatchObject({ creationDate: after, changeDate: after });
      expect((await eventsOf(server.database, "x")).at(-1)).toMatchObject({ type: "user.grant.added", time: after });
    },
  );

  test("a date that counts stands in for one that does not", async () => {
    const { authorization } = named("a4", "cid", "depot", "acme");
    const later = "2024-02-01T00:00:00Z";
    await make(remove({ userId: "bob" }), {
      authorization: { ...authorization, creationDate: "2024-01-04T00:00:00Z", changeDate: later },
    });
    expect(await listed(server, "a4", root)).toMatchObject({ creationDate: later, changeDate: later });
  });

  test("a named authorization that loses a role to a removal gets the plain event", async () => {
    await make(removeRole("shop", "seller"), named("a1", "ann", "shop", "acme", "owner"));
    expect(await newEvents("a1")).toEqual([["changed", ["owner"], "active"]]);
    expect(await newEvents("a4")).toEqual([["cascade.changed", ["auditor"], "active"]]);
  });

  test("removing one authorization frees its combination for another in the same change", async () => {
    await make(named("b1", "ann", "shop", "acme", "auditor"), remove({ authorizationId: "a1" }));
    expect(await newEvents("a1")).toEqual([["removed", [], null]]);
    expect((await eventsOf(server.database, "b1")).map(({ type }) => type)).toEqual(["user.grant.added"]);
  });

  test("a project that goes with its organization can be another's, with grants and roles of the same names", async () => {
    await make(
      remove({ organizationId: "acme" }),
      project("shop", "globex"),
      role("shop", "seller"),
      projectGrant("shop-to-globex", "shop", "initech", "seller"),
      named("a4", "bob", "shop", "globex", "seller"),
      named("a6", "bob", "shop", "initech"),
      user("root", "initech"),
      entry("root", { instance: true }, "IAM_OWNER"),
    );
    expect(await newEvents("a4")).toEqual([["added", ["seller"], "active"]]);
    expect(await newEvents("a6")).toEqual([["added", [], "active"]]);
    expect((await eventsOf(server.database, "a4"))[1]?.project_grant_id).toBe("");
    expect((await eventsOf(server.database, "a6"))[1]?.project_grant_id).toBe("shop-to-globex");
  });

  test("a world can be taken away and made again in one change", async () => {
    const organizations = ["acme", "globex", "initech"].map((organizationId) => remove({ organizationId }));
    const things = smallWorld.filter((change) => !("organization" in change));
    const others = things.map((change) => JSON.parse(JSON.stringify(change).replaceAll('"acme"', '"home"')));
    const moved = others.map((change) => JSON.parse(JSON.stringify(change).replace(/"(globex|initech)"/g, '"$1-2"')));
    await make(...organizations, ...["home", "globex-2", "initech-2"].map((id) => organization(id)), ...moved);
    for (const id of ["a1", "a2", "a3", "a4", "a5", "a6"]) {
      expect((await newEvents(id)).map(([type]) => type)).toEqual(["added"]);
    }
  });
});
