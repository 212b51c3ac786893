import { describe, expect, test } from "vitest";
import { apply, entry, project, projectGrant, remove, removeRole } from "../support/changes.ts";
import { eventsOf } from "../support/events.ts";
import { freshServerForEach } from "../support/fresh-worlds.ts";
import type { TestServer } from "../support/server.ts";
import { stored } from "../support/stored.ts";
import { role } from "../support/world.ts";

/** By request and by import: one change of state, the same consequences. */
describe.each(["ApplyChanges", "import"])("What follows a change by %s", (way) => {
  let server: TestServer;
  let root: string;
  freshServerForEach({}, (...given) => {
    [server, root] = given;
  });

  async function make(...changes: object[]): Promise<void> {
    if (way === "import") await server.database.import(...changes);
    else await apply(server, root, ...changes);
  }

  const ids = ["a1", "a2", "a3", "a4", "a5", "a6"];
  const actor = way === "import" ? null : "root";

  /** The one new event of each authorization, in short; fails when there is another or its actor is not who it was. */
  async function whatFollowed(): Promise<Record<string, unknown[]>> {
    const short: Record<string, unknown[]> = {};
    for (const id of ids) {
      const [event, ...more] = (await eventsOf(server.database, id)).slice(1);
      expect(more).toEqual([]);
      if (event === undefined) continue;
      expect(event.actor_id).toBe(actor);
      short[id] = [event.type.replace("user.grant.", ""), event.role_keys, event.state];
    }
    return short;
  }

  const removed = ["cascade.removed", [], null];
  const changed = (roleKeys: string[], state = "active") => ["cascade.changed", roleKeys, state];

  async function listAll(): Promise<Record<string, any>> {
    const { body } = await server.call("ListAuthorizations", {}, { token: root });
    return Object.fromEntries(body.authorizations.map((row: any) => [row.id, row]));
  }

  test("a role removed from a project leaves its authorizations and the keys of its grants", async () => {
    await make(removeRole("shop", "seller"));
    expect(await whatFollowed()).toEqual({
      a1: changed(["owner"]),
      a4: changed(["auditor"]),
      a5: changed([], "inactive"),
      a6: changed([]),
    });
    const keys = await server.database.query("select project_grant_id as id, role_key as key from project_grant_roles");
    expect(keys).toEqual([{ id: "shop-to-globex", key: "auditor" }]);
    const all = await listAll();
    expect(Object.keys(all).toSorted()).toEqual(ids);
    const held = ids.map((id) => all[id].roles.map(({ key }: { key: string }) => key).join());
    expect(held).toEqual(["owner", "auditor", "", "auditor", "", ""]);
  });

  test.each<[string, object[], Record<string, unknown>]>([
    [
      "several roles removed at once make one event for each authorization",
      [removeRole("shop", "owner"), removeRole("depot", "keeper"), removeRole("shop", "seller")],
      { a1: changed([]), a4: changed(["auditor"]), a5: changed([], "inactive"), a6: changed([]) },
    ],
    [
      "a key removed from a project grant leaves the authorizations on that grant and no others",
      [projectGrant("shop-to-globex", "shop", "globex", "auditor")],
      { a4: changed(["auditor"]), a5: changed([], "inactive") },
    ],
    [
      "keys that leave by a role and by a grant at once make one event",
      [removeRole("shop", "auditor"), projectGrant("shop-to-globex", "shop", "globex")],
      { a2: changed([]), a4: changed([]), a5: changed([], "inactive") },
    ],
    [
      "all at once make one event for each authorization, the plain one for what is named",
      [
        remove({ authorizationId: "a4" }),
        remove({ userId: "bob" }),
        remove({ organizationId: "globex" }),
        remove({ projectGrantId: "shop-to-globex" }),
        removeRole("shop", "seller"),
        remove({ authorizationId: "never was" }),
      ],
      { a1: changed(["owner"]), a4: ["removed", [], null], a5: removed, a6: removed },
    ],
  ])("%s", async (_what, changes, followed) => {
    await make(...changes);
    expect(await whatFollowed()).toEqual(followed);
  });

  test("a role of the same key in another project stays", async () => {
    await make(role("depot", "seller"));
    await make(removeRole("depot", "seller"));
    expect(await whatFollowed()).toEqual({});
  });

  test("a project grant removed takes the authorizations on it and its administrators along", async () => {
    await make(entry("cid", { projectGrantId: "shop-to-globex" }, "PROJECT_GRANT_OWNER"));
    await make(remove({ projectGrantId: "shop-to-globex" }));
    expect(await whatFollowed()).toEqual({ a4: removed, a5: removed });
    const { project_grants, administrators, project_grant_roles, project_roles } = await stored(server.database);
    const left = [project_grants, administrators, project_grant_roles, project_roles];
    expect(left.map((rows) => rows?.length)).toEqual([1, 1, 1, 4]);
  });

  test("a project removed takes its roles, grants, administrators and authorizations along", async () => {
    await make(entry("cid", { projectId: "shop" }, "PROJECT_OWNER"));
    await make(remove({ projectId: "shop" }));
    expect(await whatFollowed()).toEqual({ a1: removed, a2: removed, a4: removed, a5: removed, a6: removed });
    const { projects, project_roles, project_grants, administrators } = await stored(server.database);
    expect([projects, project_roles, project_grants, administrators].map((rows) => rows?.length)).toEqual([1, 1, 0, 1]);
  });

  test("a user removed takes its tokens, its administrator entries and its authorizations along", async () => {
    const token = await server.database.token("bob");
    await make(entry("bob", { organizationId: "acme" }, "ORG_OWNER"));
    await make(remove({ userId: "bob" }));
    expect(await whatFollowed()).toEqual({ a4: removed, a6: removed });
    expect((await server.call("ListAuthorizations", {}, { token })).status).toBe(401);
    expect(await server.database.query("select from tokens where user_id = 'bob'")).toEqual([]);
    expect((await stored(server.database)).administrators).toHaveLength(1);
  });

  test("an organization removed takes all there is in it along, and all that is of its users, projects and grants", async () => {
    // In Globex, of a user of Globex in Initech, and on a project of Globex granted to Acme.
    await make(
      project("lab", "globex"),
      role("lab", "k"),
      projectGrant("lab-to-acme", "lab", "acme", "k"),
      entry("ann", { organizationId: "globex" }, "ORG_OWNER"),
      entry("ann", { projectId: "lab" }, "PROJECT_OWNER"),
      entry("ann", { projectGrantId: "lab-to-acme" }, "PROJECT_GRANT_OWNER"),
      entry("bob", { organizationId: "acme" }, "ORG_OWNER"),
      { authorization: { id: "b1", userId: "cid", projectId: "lab", organizationId: "globex", roleKeys: ["k"] } },
      { authorization: { id: "b2", userId: "cid", projectId: "lab", organizationId: "acme", roleKeys: ["k"] } },
    );
    await make(remove({ organizationId: "globex" }));
    expect(await whatFollowed()).toEqual({ a4: removed, a5: removed, a6: removed });
    for (const id of ["b1", "b2"]) {
      const types = (await eventsOf(server.database, id)).map(({ type }) => type);
      expect(types).toEqual(["user.grant.added", "user.grant.cascade.removed"]);
    }
    const left = await stored(server.database);
    const idsOf = (table: string) => left[table]?.map((row) => (row as { id: string }).id).toSorted();
    expect(idsOf("organizations")).toEqual(["acme", "initech"]);
    expect(idsOf("users")).toEqual(["adam", "ann", "cid", "nobody", "root"]);
    expect(idsOf("projects")).toEqual(["depot", "shop"]);
    expect(idsOf("project_grants")).toEqual(["shop-to-initech"]);
    expect(idsOf("authorizations")).toEqual(["a1", "a2", "a3"]);
    expect(left.administrators).toHaveLength(1);
  });
});
