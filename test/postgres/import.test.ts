import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSmallWorld, type TestDatabase } from "../support/database.ts";
import { stored } from "../support/stored.ts";
import { authorization, role, user } from "../support/world.ts";

let database: TestDatabase;

beforeEach(async () => {
  database = await createSmallWorld();
});
afterEach(() => database.drop());

async function one(text: string): Promise<unknown> {
  const rows = await database.query(text);
  expect(rows).toHaveLength(1);
  return rows[0];
}

describe("an upsert sets every field, and an absent one is empty", () => {
  test("of an organization", async () => {
    await database.import({ organization: { id: "acme", name: "Acme Corporation" } });
    expect(await one("select * from organizations where id = 'acme'")).toEqual({
      id: "acme",
      name: "Acme Corporation",
    });
  });

  test("of a user, who may move to another organization", async () => {
    const avatarUrl = "https://avatars.example/bob.png";
    await database.import({
      user: { id: "bob", organizationId: "globex", preferredLoginName: "bob", displayName: "Bob", avatarUrl },
    });
    expect(await one("select * from users where id = 'bob'")).toMatchObject({ avatar_url: avatarUrl });
    await database.import({ user: { id: "bob", organizationId: "initech", preferredLoginName: "robert" } });
    expect(await one("select * from users where id = 'bob'")).toEqual({
      id: "bob",
      organization_id: "initech",
      preferred_login_name: "robert",
      display_name: "",
      avatar_url: "",
    });
    expect(await one("select organization_id from authorizations where id = 'a4'")).toEqual({
      organization_id: "globex",
    });
  });

  test("of a project and of a role", async () => {
    await database.import(
      { project: { id: "shop", organizationId: "acme", name: "Store" } },
      { projectRole: { projectId: "shop", key: "seller" } },
    );
    expect(await one("select * from projects where id = 'shop'")).toEqual({
      id: "shop",
      organization_id: "acme",
      name: "Store",
    });
    expect(await one("select * from project_roles where project_id = 'shop' and key = 'seller'")).toEqual({
      project_id: "shop",
      key: "seller",
      display_name: "",
      group_name: "",
    });
  });

  test("of a project grant: exactly the keys of the line", async () => {
    const keys = () =>
      database.query("select role_key from project_grant_roles where project_grant_id = 'g' order by 1");
    const grant = (...roleKeys: string[]) => ({
      projectGrant: { id: "g", projectId: "depot", organizationId: "globex", roleKeys },
    });
    await database.import(role("depot", "driver"), role("depot", "cleaner"), grant("keeper", "driver"));
    expect(await keys()).toEqual([{ role_key: "driver" }, { role_key: "keeper" }]);
    await database.import(grant("cleaner", "keeper"));
    expect(await keys()).toEqual([{ role_key: "cleaner" }, { role_key: "keeper" }]);
    await database.import({ projectGrant: { id: "g", projectId: "depot", organizationId: "globex" } });
    expect(await keys()).toEqual([]);
  });

  test("of an administrator: exactly the roles of the line, for each of its scopes on its own", async () => {
    const entries = () =>
      database.query(
        `select coalesce(organization_id, project_id, project_grant_id, 'instance') as scope, roles
         from administrators where user_id = 'ann' order by 1`,
      );
    const administrator = (scope: object, ...roles: string[]) => ({
      administrator: { userId: "ann", ...scope, roles },
    });
    await database.import(
      administrator({ instance: true }, "IAM_USER_MANAGER", "IAM_OWNER_VIEWER"),
      administrator({ organizationId: "acme" }, "ORG_OWNER"),
      administrator({ projectId: "shop" }, "PROJECT_OWNER"),
      administrator({ projectGrantId: "shop-to-globex" }, "PROJECT_GRANT_OWNER"),
    );
    expect(await entries()).toEqual([
      { scope: "acme", roles: ["ORG_OWNER"] },
      { scope: "instance", roles: ["IAM_OWNER_VIEWER", "IAM_USER_MANAGER"] },
      { scope: "shop", roles: ["PROJECT_OWNER"] },
      { scope: "shop-to-globex", roles: ["PROJECT_GRANT_OWNER"] },
    ]);
    await database.import(administrator({ instance: true }, "IAM_OWNER"), administrator({ projectId: "shop" }));
    await database.import(
      administrator({ organizationId: "globex" }, "ORG_OWNER"),
      administrator({ projectId: "depot" }),
    );
    const [acme, globex, grant] = [
      { scope: "acme", roles: ["ORG_OWNER"] },
      { scope: "globex", roles: ["ORG_OWNER"] },
      { scope: "shop-to-globex", roles: ["PROJECT_GRANT_OWNER"] },
    ];
    expect(await entries()).toEqual([acme, globex, { scope: "instance", roles: ["IAM_OWNER"] }, grant]);
    await database.import(administrator({ instance: true }));
    expect(await entries()).toEqual([acme, globex, grant]);
    await database.import(administrator({ organizationId: "globex" }));
    expect(await entries()).toEqual([acme, grant]);
    await database.import(administrator({ projectGrantId: "shop-to-globex" }));
    expect(await entries()).toEqual([acme]);
  });

  test("an administrator with no roles that never was is no error", async () => {
    const before = await stored(database);
    await database.import({ administrator: { userId: "ann", organizationId: "globex" } });
    expect(await stored(database)).toEqual(before);
  });

  test("of an authorization: exactly the roles of the line", async () => {
    const keys = () =>
      database.query("select role_key from authorization_roles where authorization_id = 'a4' order by role_key");
    await database.import(authorization("a4", "bob", "shop", "globex", ["seller"], "2024-01-04T00:00:00Z"));
    expect(await keys()).toEqual([{ role_key: "seller" }]);
    await database.import({ authorization: { id: "a4", userId: "bob", projectId: "shop", organizationId: "globex" } });
    expect(await keys()).toEqual([]);
  });
});

describe("an authorization without a state", () => {
  const stateless = (id: string, userId: string) => ({
    authorization: { id, userId, projectId: "shop", organizationId: "globex", roleKeys: ["seller"] },
  });

  test("is active when new", async () => {
    await database.import(stateless("x", "ann"));
    expect(await one("select state from authorizations where id = 'x'")).toEqual({ state: "active" });
  });

  test("keeps its state when not", async () => {
    await database.import(stateless("a4", "bob"), {
      authorization: { id: "a5", userId: "bea", projectId: "shop", organizationId: "globex", roleKeys: ["auditor"] },
    });
    expect(await database.query("select id, state from authorizations where id in ('a4', 'a5') order by id")).toEqual([
      { id: "a4", state: "active" },
      { id: "a5", state: "inactive" },
    ]);
  });
});

describe("of the lines that point at each other", () => {
  test("a user may move to an organization of the same file, and a grant use a role of it", async () => {
    await database.import(
      authorization("x", "bob", "new", "globex", ["r"], "2024-01-01T00:00:00Z"),
      { administrator: { userId: "bob", projectGrantId: "g", roles: ["PROJECT_GRANT_OWNER"] } },
      { projectGrant: { id: "g", projectId: "new", organizationId: "globex", roleKeys: ["r"] } },
      role("new", "r"),
      { project: { id: "new", organizationId: "hooli", name: "New" } },
      user("bob", "hooli"),
      { organization: { id: "hooli", name: "Hooli" } },
    );
    expect(await one("select project_grant_id from authorizations where id = 'x'")).toEqual({ project_grant_id: "g" });
  });

  test("an authorization may take a key that its grant gets in the same file", async () => {
    await database.import(authorization("a6", "bob", "shop", "initech", ["owner", "seller"], "2024-01-06T00:00:00Z"), {
      projectGrant: {
        id: "shop-to-initech",
        projectId: "shop",
        organizationId: "initech",
        roleKeys: ["seller", "owner"],
      },
    });
    expect(
      await database.query("select role_key from authorization_roles where authorization_id = 'a6' order by role_key"),
    ).toEqual([{ role_key: "owner" }, { role_key: "seller" }]);
  });
});
