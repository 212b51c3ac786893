import { describe, expect, test } from "vitest";
import { type AdministratorEntry, administrator } from "../support/assign.ts";
import { bodyOf, serveSmallWorld } from "../support/server.ts";

const { server, root } = await serveSmallWorld();

const list = (request: object, token = root) => bodyOf(server.callDirectory("ListProjects", request, { token }));

/** What is seen of each project: its keys, and its grants. */
function seen({ projects }: any): Record<string, [keys: string[], grants: string[]]> {
  const entries = projects.map(({ id, roles, grants, totalRoles, totalGrants }: any) => {
    expect([totalRoles, totalGrants]).toEqual([roles.length, grants.length]);
    return [id, [roles.map(({ key }: any) => key), grants.map((grant: any) => grant.id)]];
  });
  return Object.fromEntries(entries);
}

const wholeShop = ["auditor", "owner", "seller"];
const depot = [["keeper"], []];

describe("ListProjects", () => {
  test("answers exactly this JSON", async () => {
    const token = await administrator(server.database, { organizationId: "initech", roles: ["ORG_OWNER"] });
    const shop = { id: "shop", name: "Shop", organizationId: "acme" };
    const roles = [{ key: "seller", displayName: "Seller", group: "staff", description: "" }];
    const initech = { id: "initech", name: "Initech" };
    const pagination = { totalResult: 1, appliedLimit: 100, nextPageToken: "" };
    const grants = [{ id: "shop-to-initech", organization: initech, roleKeys: ["seller"] }];
    expect(await list({}, token)).toEqual({
      pagination,
      projects: [{ ...shop, roles, totalRoles: 1, grants, totalGrants: 1, projectGrantId: "" }],
    });
    const place = { assignableIn: initech, projectGrantId: "shop-to-initech" };
    expect(await list({ assignable: true }, token)).toEqual({
      pagination,
      projects: [{ ...shop, roles, totalRoles: 1, grants: [], totalGrants: 0, ...place }],
    });
  });

  test.each<[string, AdministratorEntry | undefined, object]>([
    [
      "the instance everything",
      { instance: true, roles: ["IAM_OWNER_VIEWER"] },
      { depot, shop: [wholeShop, ["shop-to-globex", "shop-to-initech"]] },
    ],
    [
      "the owner's administrators all roles, and not to whom a project is granted",
      { organizationId: "acme", roles: ["ORG_OWNER_VIEWER"] },
      { depot, shop: [wholeShop, []] },
    ],
    [
      "a project's administrators all roles, and not to whom it is granted",
      { projectId: "shop", roles: ["PROJECT_OWNER_GLOBAL"] },
      { shop: [wholeShop, []] },
    ],
    [
      "holders of project.grant.write in the owner all grants",
      { organizationId: "acme", roles: ["ORG_PROJECT_PERMISSION_EDITOR"] },
      { depot, shop: [wholeShop, ["shop-to-globex", "shop-to-initech"]] },
    ],
    [
      "holders of project.grant.write on the project all grants",
      { projectId: "shop", roles: ["PROJECT_OWNER"] },
      { shop: [wholeShop, ["shop-to-globex", "shop-to-initech"]] },
    ],
    [
      "holders of project.grant.write in another organization no other grants",
      { organizationId: "globex", roles: ["ORG_OWNER"] },
      { shop: [["auditor", "seller"], ["shop-to-globex"]] },
    ],
    [
      "an organization what it is granted, and no key and no grant beyond",
      { organizationId: "globex", roles: ["ORG_OWNER_VIEWER"] },
      { shop: [["auditor", "seller"], ["shop-to-globex"]] },
    ],
    [
      "a grant's administrators that grant and its keys",
      { projectGrantId: "shop-to-initech", roles: ["PROJECT_GRANT_OWNER_VIEWER"] },
      { shop: [["seller"], ["shop-to-initech"]] },
    ],
    ["nobody else anything", undefined, {}],
  ])("shows %s", async (_what, entry, expected) => {
    expect(seen(await list({}, await administrator(server.database, entry)))).toEqual(expected);
  });

  test.each<[entry: AdministratorEntry, id: string, projects: string[]]>([
    [{ instance: true, roles: ["IAM_OWNER_VIEWER"] }, "globex", ["shop"]],
    [{ organizationId: "acme", roles: ["ORG_OWNER_VIEWER"] }, "acme", ["depot", "shop"]],
    [{ organizationId: "acme", roles: ["ORG_OWNER_VIEWER"] }, "globex", []],
    [{ organizationId: "acme", roles: ["ORG_OWNER"] }, "globex", ["shop"]],
    [{ organizationId: "globex", roles: ["ORG_OWNER"] }, "initech", []],
    [{ instance: true, roles: ["IAM_OWNER_VIEWER"] }, "", []],
  ])("finds for %j what %j owns, or is granted by a grant that concerns the caller", async (entry, id, projects) => {
    const token = await administrator(server.database, entry);
    expect(Object.keys(seen(await list({ filters: [{ inOrganizationId: { id } }] }, token)))).toEqual(projects);
  });

  test("shows a plain user the projects of its own authorizations, with the roles there", async () => {
    const both = ["shop-to-globex", "shop-to-initech"];
    expect(seen(await list({}, await server.database.token("ann")))).toEqual({ shop: [wholeShop, []] });
    expect(seen(await list({}, await server.database.token("bob")))).toEqual({ shop: [["auditor", "seller"], both] });
    expect(seen(await list({}, await server.database.token("cid")))).toEqual({});
  });

  test("lists the first 1000 roles and 100 grants, and says how many there are", async () => {
    await server.database.load({ project: { id: "huge", organizationId: "acme", name: "Huge" } });
    await server.database.query(`
      insert into project_roles (project_id, key, display_name, group_name)
      select 'huge', 'role ' || lpad(n::text, 4, '0'), '', '' from generate_series(1, 1001) n`);
    await server.database.query(`
      with o as (insert into organizations (id, name) select 'org ' || n, 'O' from generate_series(100, 200) n returning id)
      insert into project_grants (id, project_id, organization_id, owner_id) select id, 'huge', id, 'acme' from o`);
    await server.database.query(`
      insert into project_grant_roles (project_grant_id, project_id, role_key)
      select g.id, 'huge', r.key from project_grants g, project_roles r
      where g.project_id = 'huge' and r.project_id = 'huge' and g.id < 'org 102'`);
    const filters = [{ ids: { ids: ["huge"] } }];
    const [project] = (await list({ filters })).projects;
    expect([project.totalRoles, project.totalGrants]).toEqual([1_001, 101]);
    expect(project.roles.map(({ key }: any) => key)).toEqual(
      Array.from({ length: 1_000 }, (_, index) => `role ${String(index + 1).padStart(4, "0")}`),
    );
    expect(project.grants.map(({ id }: any) => id)).toEqual(Array.from({ length: 100 }, (_, n) => `org ${100 + n}`));
    const assignable = (await list({ filters, assignable: true })).projects;
    const shown = assignable.map(({ totalRoles, roles }: any) => `${roles.length} of ${totalRoles}`);
    expect(shown.slice(0, 4)).toEqual([...Array(3).fill("1000 of 1001"), "0 of 0"]);
    expect(assignable).toHaveLength(100);
    await server.database.load({ remove: { projectId: "huge" } });
  });
});
