import { beforeEach, describe, expect, test } from "vitest";
import { permissionsOfRole } from "../../src/authorization/permissions.ts";
import {
  apply,
  applyChanges,
  entry,
  organization,
  project,
  projectGrant,
  remove,
  removeRole,
} from "../support/changes.ts";
import { hold } from "../support/locks.ts";
import { deniedAt, expectRefusal } from "../support/refusals.ts";
import { errorInfo, serveTests } from "../support/server.ts";
import { twoOrganizations } from "../support/two-organizations.ts";
import { role, user } from "../support/world.ts";

// docs/reference/permissions.md: what administrators may change, beside the table.

const server = await serveTests();

const owner = { organizationId: "mine" };
const lock = "select pg_advisory_xact_lock(7206381402113)";
let made = 0;

beforeEach(async () => {
  const { database } = server;
  await database.query("delete from tokens");
  await database.load(...["mine", "theirs"].map((organizationId) => remove({ organizationId })));
  await database.query("delete from removed_things");
  await database.load(organization("home"), ...twoOrganizations);
});

/** A token of a new user with these entries, who belongs to neither of the two organizations. */
async function holder(...entries: readonly (readonly [scope: object, ...roles: string[]])[]): Promise<string> {
  made += 1;
  const id = `holder-${made}`;
  await server.database.load(user(id, "home"), ...entries.map(([scope, ...roles]) => entry(id, scope, ...roles)));
  return server.database.token(id);
}

async function expectDenied(token: string, permission: string, index: number, ...changes: object[]): Promise<void> {
  expectRefusal(await applyChanges(server, token, changes), deniedAt(index, permission));
}

describe("Entries can be given, changed and removed only with roles that permit nothing there which the caller lacks:", () => {
  const kinds = [
    { scope: { organizationId: "mine" }, callers: ["ORG_OWNER"], roles: /^ORG_/, lacking: {} },
    {
      scope: { projectId: "shop" },
      callers: ["PROJECT_OWNER", "PROJECT_OWNER_GLOBAL"],
      roles: /^PROJECT_(?!GRANT_)/,
      lacking: { PROJECT_OWNER_GLOBAL: { PROJECT_OWNER: "project.grant.write" } } as Lacking,
    },
    { scope: { projectGrantId: "in" }, callers: ["PROJECT_GRANT_OWNER"], roles: /^PROJECT_GRANT_/, lacking: {} },
  ];
  type Lacking = Record<string, Record<string, string>>;
  const all = Object.keys(permissionsOfRole);

  test.each(kinds.flatMap(({ callers, ...kind }) => callers.map((caller) => ({ caller, ...kind }))))(
    "by $caller",
    async ({ caller, scope, roles, lacking }) => {
      const token = await holder([scope, caller]);
      for (const name of all.filter((one) => roles.test(one))) {
        const permission = (lacking as Lacking)[caller]?.[name];
        const give = entry("stranger", scope, name);
        const viewer = all.findLast((one) => roles.test(one) && one.includes("VIEWER")) ?? "";
        if (permission === undefined) {
          await apply(server, token, give);
          await apply(server, token, entry("stranger", scope, viewer));
          await apply(server, token, give);
          await apply(server, token, remove({ administrator: { userId: "stranger", ...scope } }));
          continue;
        }
        await expectDenied(token, permission, 0, give);
        await server.database.load(give);
        await expectDenied(token, permission, 0, entry("stranger", scope, viewer));
        await expectDenied(token, permission, 0, entry("stranger", scope));
        await expectDenied(token, permission, 0, remove({ administrator: { userId: "stranger", ...scope } }));
        await server.database.load(entry("stranger", scope));
      }
    },
  );

  test("an entry with a role of a newer version needs directory.write", async () => {
    await server.database.load(entry("stranger", owner, "ORG_OWNER_VIEWER"));
    await server.database.query("update administrators set roles = '{ORG_OF_TOMORROW}' where user_id = 'stranger'");
    const token = await holder([owner, "ORG_OWNER"]);
    await expectDenied(token, "directory.write", 0, remove({ administrator: { userId: "stranger", ...owner } }));
  });

  test("the owner of a project can end a grant, but not read on it", async () => {
    const token = await holder([owner, "ORG_OWNER"], [{ projectId: "shop" }, "PROJECT_OWNER"]);
    const reader = entry("member", { projectGrantId: "out" }, "PROJECT_GRANT_OWNER_VIEWER");
    await expectDenied(token, "administrator.write", 0, reader);
    await apply(server, token, remove({ projectGrantId: "out" }));
  });
});

describe("No one reaches up to a user with more rights:", () => {
  const changes: [what: string, change: object][] = [
    ["changed", user("member", "mine", "Another name")],
    ["left as it is", user("member", "mine")],
    ["moved", user("member", "mine-too")],
    ["removed", remove({ userId: "member" })],
    ["removed with its organization", remove({ organizationId: "mine" })],
  ];
  const both = async (...roles: string[]) => {
    await server.database.load(organization("mine-too"));
    return holder([owner, ...roles], [{ organizationId: "mine-too" }, ...roles]);
  };

  test.each(changes)("one with an entry on the instance is %s only with directory.write", async (_what, change) => {
    await server.database.load(entry("member", { instance: true }, "IAM_OWNER_VIEWER"));
    await expectDenied(await both("ORG_OWNER"), "directory.write", 0, change);
    await expectDenied(await holder([{ instance: true }, "IAM_ORG_MANAGER"]), "directory.write", 0, change);
    await apply(server, await holder([{ instance: true }, "IAM_OWNER"]), change);
  });

  test.each(changes)(
    "one with an entry on its own organization is %s only with administrator.write there",
    async (_what, change) => {
      await server.database.load(entry("member", owner, "ORG_OWNER_VIEWER"));
      // Without org.write, the other permission comes first.
      const first = JSON.stringify(change).includes('organizationId":"mine"}}') ? "org.write" : "administrator.write";
      await expectDenied(await both("ORG_USER_MANAGER"), first, 0, change);
      await expectDenied(await holder([{ instance: true }, "IAM_USER_MANAGER"]), first, 0, change);
      await apply(server, await both("ORG_OWNER"), change);
    },
  );
});

describe("Permissions come first,", () => {
  test("and the first change that is not permitted is named, whatever else is wrong with any of them", async () => {
    const token = await holder([owner, "ORG_OWNER"]);
    const foreign = project("yard", "theirs");
    const wrong = [
      entry("nobody", { projectId: "shop" }, "PROJECT_OWNER"),
      entry("member", owner, "NO_SUCH_ROLE"),
      project("shop", "mine"),
      project("shop", "mine"),
      projectGrant("x", "shop", "mine", "no role"),
    ];
    await expectDenied(token, "project.write", 5, ...wrong, foreign);
    await expectDenied(token, "project.write", 0, foreign, ...wrong, remove({ userId: "stranger" }));
    await expectDenied(token, "user.write", 1, project("shop", "mine"), remove({ userId: "stranger" }), foreign);
    const answer = await applyChanges(server, token, wrong);
    expect(errorInfo(answer)).toMatchObject({ reason: "ADMINISTRATOR_ROLE_INVALID", metadata: { index: "1" } });
  });

  test("and what the request puts in place is judged by the place it gives", async () => {
    const token = await holder([owner, "ORG_OWNER"]);
    await apply(
      server,
      token,
      projectGrant("shed-out", "shed", "theirs", "gardener"),
      role("shed", "gardener"),
      removeRole("shed", "old"),
      entry("stranger", { projectId: "shed" }, "PROJECT_OWNER"),
      user("new", "mine"),
      project("shed", "mine"),
    );
    await expectDenied(token, "project.role.write", 0, role("hut", "gardener"), project("hut", "theirs"));
    const onIt = entry("stranger", { projectGrantId: "shed-out-2" }, "PROJECT_GRANT_OWNER");
    await expectDenied(token, "administrator.write", 1, projectGrant("shed-out-2", "shed", "home"), onIt);
  });

  test("and rights that the request gives don't count in it", async () => {
    const scope = { projectGrantId: "in" };
    const token = await holder([scope, "PROJECT_GRANT_OWNER"]);
    const [{ id } = { id: "" }] = await server.database.query<{ id: string }>(
      "select user_id as id from administrators where project_grant_id = 'in'",
    );
    await expectDenied(token, "administrator.write", 0, entry(id, owner, "ORG_OWNER"), user("new", "mine"));
    const manager = await holder([{ instance: true }, "IAM_ORG_MANAGER"]);
    await expectDenied(manager, "directory.write", 0, entry(id, { instance: true }, "IAM_OWNER"));
    await apply(server, manager, organization("new"), entry(id, { organizationId: "new" }, "ORG_OWNER"));
  });

  test("and a thing that is removed with its organization and added again elsewhere needs both places", async () => {
    const other = { organizationId: "mine-too" };
    await server.database.load(organization("mine-too"), project("lane", "mine-too"));
    const token = await holder([owner, "ORG_OWNER"], [other, "ORG_OWNER"]);
    // The grant goes with its project, and would come back as one to an organization that is not the caller's.
    await server.database.load(projectGrant("between", "shop", "mine-too"));
    const again = [remove({ projectId: "shop" }), projectGrant("between", "lane", "theirs")];
    const reader = entry("member", { projectGrantId: "between" }, "PROJECT_GRANT_OWNER_VIEWER");
    await expectDenied(token, "administrator.write", 2, ...again, reader);
    await expectDenied(token, "project.write", 1, remove({ organizationId: "mine" }), project("shop", "theirs"));
    await expectDenied(token, "user.write", 1, remove({ organizationId: "mine" }), user("member", "theirs"));
    await apply(server, token, ...again);
    const moved = "select from project_grants where id = 'between' and organization_id = 'theirs'";
    expect(await server.database.query(moved)).toHaveLength(1);
  });
});

describe("What counts is what is stored when the changes are applied:", () => {
  /** Sends changes while another change of the directory is under way, which ends with this statement. */
  async function during(statement: string, token: string, ...changes: object[]) {
    const other = await hold(server.database, lock);
    const waiting = applyChanges(server, token, changes);
    await other.untilWaiting(1);
    await other.query(statement);
    await other.commit();
    return waiting;
  }

  test("rights that were taken away while it waited", async () => {
    const token = await holder([owner, "ORG_OWNER"]);
    const taking = "delete from administrators where organization_id = 'mine'";
    const refused = await during(taking, token, user("new", "mine"));
    expectRefusal(refused, deniedAt(0, "user.write"));
  });

  test("places that changed while it waited", async () => {
    const token = await holder([owner, "ORG_OWNER"]);
    const move = "update users set organization_id = 'theirs' where id = 'member'";
    const refused = await during(move, token, remove({ userId: "member" }));
    expectRefusal(refused, deniedAt(0, "user.write"));
    expect(await server.database.query("select from users where id = 'member'")).toHaveLength(1);
  });
});

test("Refused callers wait for no lock, and hold none", async () => {
  const token = await holder([owner, "ORG_OWNER"]);
  const other = await hold(server.database, lock);
  await other.query("select from users where id = 'stranger' for update");
  await expectDenied(token, "user.write", 0, user("stranger", "theirs", "Another name"), user("new", "mine"));
  await expectDenied(token, "user.write", 1, user("new", "mine"), remove({ userId: "stranger" }));
});
