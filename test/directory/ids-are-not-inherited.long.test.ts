import { beforeEach, describe, expect, test } from "vitest";
import { type AdministratorEntry, administrator } from "../support/assign.ts";
import { applyChanges, entry, organization, project, projectGrant, remove } from "../support/changes.ts";
import { deniedAt, expectRefusal, notFound } from "../support/refusals.ts";
import { serveTests } from "../support/server.ts";
import { user } from "../support/world.ts";

// docs/reference/permissions.md: ids of removed things are not inherited.

const server = await serveTests();

const assigned = (id: string, userId: string, projectId: string, organizationId: string) => ({
  authorization: { id, userId, projectId, organizationId, roleKeys: [] },
});

/** Acme's Shop is granted to Globex. Everything has assignments. */
beforeEach(async () => {
  const { database } = server;
  await database.load(
    ...["acme", "globex", "other", "small", "second"].map((organizationId) => remove({ organizationId })),
  );
  await database.query("alter table events disable trigger events_are_kept");
  await database.query("delete from events");
  await database.query("delete from numbers");
  await database.query("alter table events enable trigger events_are_kept");
  await database.query("delete from removed_things");
  await database.load(
    ...["initech", "acme", "globex", "other"].map((id) => organization(id)),
    user("ann", "acme"),
    user("bob", "globex"),
    project("shop", "acme"),
    projectGrant("out", "shop", "globex"),
    assigned("a", "ann", "shop", "acme"),
    assigned("g", "bob", "shop", "globex"),
  );
});

const holding = (scope: Omit<AdministratorEntry, "roles">, ...roles: string[]) =>
  administrator(server.database, { ...scope, roles });

describe("The id of a removed thing can be used again", () => {
  const things: [kind: string, permission: string, removal: object, again: object][] = [
    ["user", "user.write", { userId: "ann" }, user("ann", "other")],
    ["project", "project.write", { projectId: "shop" }, project("shop", "other")],
    ["grant", "project.grant.write", { projectGrantId: "out" }, projectGrant("out", "stand", "globex")],
  ];

  describe.each(things)("for a %s", (_kind, permission, removal, again) => {
    const refusal = deniedAt(0, permission);
    beforeEach(() => server.database.load(project("stand", "other")));

    test("not by others, for whom it is taken as if it still existed", async () => {
      const other = await holding({ organizationId: "other" }, "ORG_OWNER");
      const taken = await applyChanges(server, other, [again]);
      await server.database.load(remove(removal));
      const gone = await applyChanges(server, other, [again]);
      for (const answer of [taken, gone]) expectRefusal(answer, refusal);
      expect(JSON.stringify(gone.body)).toBe(JSON.stringify(taken.body));
    });

    test("not by those who may only change users or grants everywhere", async () => {
      if (permission === "project.write") return;
      await server.database.load(remove(removal));
      const manager = await holding({ instance: true }, "IAM_USER_MANAGER");
      expectRefusal(await applyChanges(server, manager, [again]), refusal);
    });
  });
});

describe("A new thing with an old id inherits no history:", () => {
  /** What a caller is shown, also by filters, with totals that count nothing else. */
  async function shown(token: string): Promise<string[]> {
    const ask = async (...filters: object[]) => {
      const path = "authorization.v2.AuthorizationHistoryService/ListAuthorizationEvents";
      const { body } = await server.callService(path, { filters, pagination: { asc: true } }, { token });
      expect(body.pagination.totalResult).toBe(body.events.length);
      return body.events.map(({ authorizationId, type }: any) => `${authorizationId} ${type.slice(11)}`);
    };
    const all = await ask();
    const byFilter = [];
    for (const id of ["a", "g"]) byFilter.push(...(await ask({ authorizationId: { id } })));
    expect(byFilter.sort()).toEqual(all.toSorted());
    expect((await ask({ projectId: { id: "shop" } })).sort()).toEqual(all.toSorted());
    const types = ["user.grant.added", "user.grant.removed", "user.grant.cascade.removed"];
    expect((await ask({ types: { types } })).sort()).toEqual(all.toSorted());
    return all;
  }

  test("its user sees nothing from before", async () => {
    await server.database.load(remove({ userId: "ann" }));
    await server.database.load(user("ann", "other"));
    const ann = await server.database.token("ann");
    expect(await shown(ann)).toEqual([]);
    await server.database.load(assigned("a", "ann", "shop", "acme"));
    expect(await shown(ann)).toEqual(["a added"]);
  });

  const ofAcme = [organization("acme"), user("ann", "acme"), project("shop", "acme")];
  const scopes: [string, Omit<AdministratorEntry, "roles">, string, object[], string][] = [
    ["a project's", { projectId: "shop" }, "PROJECT_OWNER", [project("shop", "acme")], "a"],
    ["a grant's", { projectGrantId: "out" }, "PROJECT_GRANT_OWNER", [projectGrant("out", "shop", "globex")], "g"],
    ["an organization's", { organizationId: "acme" }, "ORG_OWNER", ofAcme, "a"],
  ];

  test.each(scopes)("%s administrators see nothing from before", async (_whose, scope, role, again, id) => {
    expect(await shown(await holding(scope, role))).toEqual([`${id} added`]);
    await server.database.load(remove(scope));
    await server.database.load(...again);
    const token = await holding(scope, role);
    expect(await shown(token)).toEqual([]);
    expectRefusal(await server.call("DeleteAuthorization", { id }, { token }), notFound);
    await server.database.load(
      id === "a" ? assigned("a", "ann", "shop", "acme") : assigned("g", "bob", "shop", "globex"),
    );
    expect(await shown(token)).toEqual([`${id} added`]);
    expect((await server.call("DeleteAuthorization", { id }, { token })).status).toBe(200);
    expect(await shown(token)).toEqual([`${id} added`, `${id} removed`]);
    expect((await server.call("DeleteAuthorization", { id }, { token })).status).toBe(200);
  });

  test("also if one request removes and adds it again", async () => {
    await server.database.load(
      remove({ organizationId: "acme" }),
      user("ann", "other"),
      project("shop", "other"),
      projectGrant("out", "shop", "globex"),
      assigned("a", "ann", "shop", "other"),
    );
    expect(await shown(await server.database.token("ann"))).toEqual(["a added"]);
    expect(await shown(await holding({ projectId: "shop" }, "PROJECT_OWNER"))).toEqual(["a added"]);
    expect(await shown(await holding({ projectGrantId: "out" }, "PROJECT_GRANT_OWNER"))).toEqual([]);
    expect(await shown(await holding({ organizationId: "other" }, "ORG_OWNER"))).toEqual(["a added"]);
    expect(await shown(await holding({ organizationId: "globex" }, "ORG_OWNER"))).toEqual([
      "g added",
      "g cascade.removed",
    ]);
  });
});

describe("The id of a removed thing stays taken in a request that also removes the thing that has it now", () => {
  const owning = async (...organizationIds: string[]) => {
    const { database } = server;
    await database.load(
      user("ivy", "globex"),
      ...organizationIds.map((organizationId) => entry("ivy", { organizationId }, "ORG_OWNER")),
    );
    return database.token("ivy");
  };

  test("for a project that is added to an organization of others", async () => {
    await server.database.load(remove({ projectId: "shop" }));
    await server.database.load(organization("small"), project("shop", "small"));
    const answer = await applyChanges(server, await owning("small"), [
      remove({ organizationId: "small" }),
      project("shop", "other"),
      entry("ivy", { projectId: "shop" }, "PROJECT_OWNER"),
    ]);
    expectRefusal(answer, deniedAt(1, "project.write"));
  });

  test("for an entry on a grant to an organization of others", async () => {
    await server.database.load(remove({ projectGrantId: "out" }));
    await server.database.load(
      ...["small", "second"].map((id) => organization(id)),
      project("one", "small"),
      project("two", "small"),
      projectGrant("out", "one", "second"),
    );
    const answer = await applyChanges(server, await owning("small", "second"), [
      remove({ projectId: "one" }),
      projectGrant("out", "two", "other"),
      entry("ivy", { projectGrantId: "out" }, "PROJECT_GRANT_OWNER"),
    ]);
    expectRefusal(answer, deniedAt(2, "administrator.write"));
  });
});
