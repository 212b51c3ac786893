import { describe, expect, test } from "vitest";
import { permissions, permissionsOfRole } from "../../src/authorization/permissions.ts";
import { administrator } from "../support/assign.ts";
import { apply, entry, organization, project, projectGrant } from "../support/changes.ts";
import { hold } from "../support/locks.ts";
import { expectRefusal, unauthenticated } from "../support/refusals.ts";
import { bodyOf, serveSmallWorld } from "../support/server.ts";
import { person, user } from "../support/world.ts";

const { server, root } = await serveSmallWorld();

function getCaller(token: string) {
  return server.callService("authorization.v2.CallerService/GetCaller", {}, { token });
}

async function callerWith(id: string, ...changes: object[]): Promise<string> {
  await apply(server, root, user(id, "acme"), ...changes);
  return server.database.token(id);
}

/** What the scopes of a permission are about, by their ids. */
async function scopesOf(token: string, permission: string): Promise<unknown[]> {
  const { body } = await getCaller(token);
  const held = body.permissions.find((each: any) => each.permission === permission);
  return held?.sources.map(({ scope }: any) => scope.instance ?? Object.values<any>(scope)[0].id);
}

describe("GetCaller", () => {
  test("answers who the caller is, and where each of its permissions comes from, with names", async () => {
    const token = await callerWith(
      "eve",
      entry("eve", { projectGrantId: "shop-to-globex" }, "PROJECT_GRANT_OWNER_VIEWER"),
      entry("eve", { projectId: "depot" }, "PROJECT_OWNER_VIEWER", "PROJECT_OWNER"),
      entry("eve", { organizationId: "initech" }, "ORG_OWNER_VIEWER"),
      entry("eve", { instance: true }, "IAM_LOGIN_CLIENT"),
    );
    const instance = { scope: { instance: true }, roles: ["IAM_LOGIN_CLIENT"] };
    const depot = { project: { id: "depot", name: "Depot", organizationId: "acme" } };
    expect(await bodyOf(getCaller(token))).toEqual({
      user: person("eve", "acme"),
      permissions: [
        {
          permission: "user.grant.read",
          sources: [
            instance,
            { scope: { organization: { id: "initech", name: "Initech" } }, roles: ["ORG_OWNER_VIEWER"] },
            { scope: depot, roles: ["PROJECT_OWNER", "PROJECT_OWNER_VIEWER"] },
            {
              scope: {
                projectGrant: {
                  id: "shop-to-globex",
                  project: { id: "shop", name: "Shop", organizationId: "acme" },
                  organization: { id: "globex", name: "Globex" },
                },
              },
              roles: ["PROJECT_GRANT_OWNER_VIEWER"],
            },
          ],
        },
        { permission: "user.grant.write", sources: [instance, { scope: depot, roles: ["PROJECT_OWNER"] }] },
        { permission: "user.grant.delete", sources: [{ scope: depot, roles: ["PROJECT_OWNER"] }] },
        { permission: "user.write", sources: [{ ...instance, limited: true }] },
        ...["project.write", "project.role.write", "project.grant.write", "administrator.write"].map((permission) => ({
          permission,
          sources: [{ scope: depot, roles: ["PROJECT_OWNER"] }],
        })),
      ],
      administratorRoles: Object.entries(permissionsOfRole).map(([role, permissions]) => ({ role, permissions })),
    });
  });

  test("answers directory.write to callers who hold it, and no permission to callers without any", async () => {
    const ofRoot = (await getCaller(root)).body.permissions;
    const sources = [{ scope: { instance: true }, roles: ["IAM_OWNER"] }];
    expect(ofRoot.at(-1)).toEqual({ permission: "directory.write", sources });
    expect(ofRoot.map(({ permission }: any) => permission)).toEqual(permissions);
    const { status, body } = await getCaller(await administrator(server.database));
    expect({ status, permissions: body.permissions }).toEqual({ status: 200, permissions: [] });
  });

  test("says if a permission is limited, unless another role in the same entry gives all of it", async () => {
    const token = await callerWith("lou", entry("lou", { instance: true }, "IAM_LOGIN_CLIENT", "IAM_USER_MANAGER"));
    const { body } = await getCaller(token);
    const sources = Object.fromEntries(body.permissions.map((each: any) => [each.permission, each.sources]));
    const roles = ["IAM_LOGIN_CLIENT", "IAM_USER_MANAGER"];
    expect(sources["user.write"]).toEqual([{ scope: { instance: true }, roles }]);
    await apply(server, root, entry("lou", { instance: true }, "IAM_LOGIN_CLIENT"));
    const limited = (await getCaller(token)).body.permissions.map(({ permission, sources: [source] }: any) => [
      permission,
      source.limited,
    ]);
    expect(limited).toEqual([
      ["user.grant.read", undefined],
      ["user.grant.write", undefined],
      ["user.write", true],
    ]);
  });

  test("sorts the scopes of each kind by their ids, by code point", async () => {
    // By UTF-16, as JavaScript sorts, the last two would change places; in a dictionary the first two.
    const ids = ["B", "a", "\uffee", "\u{1f600}"];
    const upsideDown = ids.toReversed();
    const token = await callerWith(
      "ida",
      ...upsideDown.flatMap((id) => [
        organization(id),
        project(id, id),
        projectGrant(id, id, "initech"),
        entry("ida", { projectGrantId: id }, "PROJECT_GRANT_OWNER"),
        entry("ida", { projectId: id }, "PROJECT_OWNER"),
        entry("ida", { organizationId: id }, "ORG_OWNER"),
      ]),
    );
    for (const permission of ["user.grant.read", "user.grant.write", "user.grant.delete"]) {
      expect(await scopesOf(token, permission)).toEqual([...ids, ...ids, ...ids]);
    }
  });

  test("answers what is stored when it is asked, whatever the gate had read a moment before", async () => {
    const token = await callerWith(
      "oda",
      organization("oda's"),
      entry("oda", { organizationId: "oda's" }, "ORG_OWNER"),
    );
    // The gate has no business with projects, so that it is through when the lock is waited for.
    const other = await hold(server.database, "lock table projects in access exclusive mode");
    await other.query("delete from administrators where user_id = 'oda'");
    await other.query("update users set display_name = 'Oda of today' where id = 'oda'");
    const [{ status, body }] = await other.holdUp([() => getCaller(token)]);
    expect({ status, permissions: body.permissions }).toEqual({ status: 200, permissions: [] });
    expect(body.user.displayName).toBe("Oda of today");
  });

  test("refuses a user that is removed while it asks just as one that is gone", async () => {
    const token = await callerWith("pia");
    const other = await hold(server.database, "lock table projects in access exclusive mode");
    await other.query("delete from users where id = 'pia'");
    const [asked] = await other.holdUp([() => getCaller(token)]);
    const [during, after] = [asked, await getCaller(token)];
    expectRefusal(during, unauthenticated);
    expect(during.headers.get("www-authenticate")).toBe("Bearer");
    expect(during.body).toEqual(after.body);
  });

  test("needs credentials, takes nothing, and refuses what it does not know", async () => {
    const path = "authorization.v2.CallerService/GetCaller";
    expect((await server.callService(path, {})).status).toBe(401);
    const { status, body } = await server.callService(path, { userId: "ann" }, { token: root });
    expect({ status, code: body.code }).toEqual({ status: 400, code: "invalid_argument" });
  });
});
