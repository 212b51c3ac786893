import { describe, expect, test } from "vitest";
import { administrator } from "../support/assign.ts";
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
import { freshServerForEach } from "../support/fresh-worlds.ts";
import { hold } from "../support/locks.ts";
import type { TestServer } from "../support/server.ts";
import { role, user } from "../support/world.ts";

// docs/reference/directory.md, "Outcomes".

let server: TestServer;
let root: string;
freshServerForEach({}, (...given) => {
  [server, root] = given;
});

const none = { effect: "EFFECT_NONE", changedFields: [] };

function assignment(id: string, userId: string, organizationId: string, roleKeys: string[], more: object = {}): object {
  return { authorization: { id, userId, projectId: "shop", organizationId, roleKeys, ...more } };
}

describe("An outcome", () => {
  test("of each kind of thing says that it was created, changed or removed, or that nothing changed", async () => {
    const steps: [add: object, change: object, removal: object, changedFields: string[]][] = [
      [organization("o", "One"), organization("o", "Two"), remove({ organizationId: "o" }), ["name"]],
      [
        user("u", "acme", "U"),
        { user: { id: "u", organizationId: "globex", preferredLoginName: "u", displayName: "", avatarUrl: "" } },
        remove({ userId: "u" }),
        ["displayName", "organizationId", "preferredLoginName"],
      ],
      [project("p", "acme"), project("p", "acme", "P"), remove({ projectId: "p" }), ["name"]],
      [
        role("shop", "r", "R", "g"),
        role("shop", "r", "R"),
        remove({ projectRole: { projectId: "shop", key: "r" } }),
        ["group"],
      ],
      [
        projectGrant("g", "depot", "globex", "keeper"),
        projectGrant("g", "depot", "globex"),
        remove({ projectGrantId: "g" }),
        ["roleKeys"],
      ],
      [
        entry("ann", { projectId: "shop" }, "PROJECT_OWNER"),
        entry("ann", { projectId: "shop" }, "PROJECT_OWNER_GLOBAL", "PROJECT_OWNER"),
        remove({ administrator: { userId: "ann", projectId: "shop" } }),
        ["roles"],
      ],
      [
        assignment("x", "cid", "acme", ["seller"]),
        assignment("x", "cid", "acme", [], { state: "STATE_INACTIVE" }),
        remove({ authorizationId: "x" }),
        ["roleKeys", "state"],
      ],
    ];
    for (const [add, change, removal, changedFields] of steps) {
      const [kind = ""] = Object.keys(add);
      const outcome = async (given: object) => {
        const { outcomes } = await apply(server, root, organization("acme", "Acme"), given);
        expect(outcomes[0]).toMatchObject(none);
        return outcomes[1];
      };
      expect(await outcome(removal)).toEqual(none);
      const created = await outcome(add);
      expect(created).toEqual({ effect: "EFFECT_CREATED", changedFields: [], after: expect.anything() });
      expect(created.after).toMatchObject(sorted(add));
      expect(await outcome(add)).toMatchObject(none);
      const changed = await outcome(change);
      expect(changed).toMatchObject({ effect: "EFFECT_CHANGED", changedFields, before: { [kind]: expect.anything() } });
      expect(changed.before).toMatchObject(sorted(add));
      expect(changed.after).toMatchObject(sorted(change));
      const removed = await outcome(removal);
      expect(removed).toEqual({ effect: "EFFECT_REMOVED", changedFields: [], before: expect.anything() });
      expect(removed.before).toMatchObject(sorted(change));
    }
  });

  const sorted = (change: object) =>
    JSON.parse(JSON.stringify(change), (_, value) => (Array.isArray(value) ? value.toSorted() : value));

  test("of an entry that is given without roles says that it was removed", async () => {
    await apply(server, root, entry("ann", { projectId: "shop" }, "PROJECT_OWNER"));
    const { outcomes } = await apply(
      server,
      root,
      entry("ann", { projectId: "shop" }),
      entry("ann", { instance: true }),
    );
    expect(outcomes).toEqual([
      {
        effect: "EFFECT_REMOVED",
        changedFields: [],
        before: { administrator: { userId: "ann", projectId: "shop", roles: ["PROJECT_OWNER"] } },
      },
      none,
    ]);
  });

  test("of something that goes with another thing and is added again says that it was created", async () => {
    const { outcomes } = await apply(
      server,
      root,
      assignment("a4", "bob", "acme", []),
      user("bob", "acme"),
      remove({ organizationId: "globex" }),
    );
    expect(outcomes.map(({ effect }: any) => effect)).toEqual(["EFFECT_CREATED", "EFFECT_CREATED", "EFFECT_REMOVED"]);
    expect(outcomes.map(({ before }: any) => before === undefined)).toEqual([true, true, false]);
  });

  test("of an assignment has only dates that don't depend on the time of the request", async () => {
    const dates = { creationDate: "2023-01-01T00:00:00Z", changeDate: "2024-06-01T00:00:00Z" };
    const { outcomes } = await apply(
      server,
      root,
      assignment("new", "cid", "acme", []),
      assignment("dated", "bea", "acme", [], dates),
      assignment("a1", "ann", "acme", ["owner"]),
      assignment("a2", "adam", "acme", ["auditor"], dates),
      assignment("a4", "bob", "globex", ["seller", "auditor"]),
    );
    expect(outcomes[0].after.authorization).not.toHaveProperty("creationDate");
    expect(outcomes[0].after.authorization).not.toHaveProperty("changeDate");
    expect(outcomes[1].after.authorization).toMatchObject(dates);
    expect(outcomes[2].changedFields).toEqual(["roleKeys"]);
    expect(outcomes[2].before.authorization).toMatchObject({ changeDate: "2024-01-01T00:00:00Z" });
    expect(outcomes[2].after.authorization).toMatchObject({ creationDate: "2024-01-01T00:00:00Z" });
    expect(outcomes[2].after.authorization).not.toHaveProperty("changeDate");
    expect(outcomes[3].changedFields).toEqual(["changeDate", "creationDate"]);
    expect(outcomes[3].after.authorization).toMatchObject(dates);
    expect(outcomes[4]).toMatchObject(none);
    expect(outcomes[4].after).toEqual(outcomes[4].before);
  });
});

describe("Assignments that follow", () => {
  const place = (projectId: string, organizationId: string, changed: number, removed: number) => ({
    ...{ projectId, organizationId, changed, removed },
  });

  test("are counted by project and organization, sorted, without those that are named", async () => {
    const { authorizations } = await apply(
      server,
      root,
      removeRole("shop", "seller"),
      remove({ projectId: "depot" }),
      remove({ authorizationId: "a3" }),
      assignment("a1", "ann", "acme", []),
    );
    expect(authorizations).toEqual([place("shop", "globex", 2, 0), place("shop", "initech", 1, 0)]);
    const again = await apply(server, root, remove({ organizationId: "globex" }), remove({ userId: "ann" }));
    expect(again.authorizations).toEqual([
      place("shop", "acme", 0, 1),
      place("shop", "globex", 0, 2),
      place("shop", "initech", 0, 1),
    ]);
  });

  test("are counted as they are behind the locks: one that is created meanwhile counts", async () => {
    const held = await hold(
      server.database,
      `insert into authorizations (id, user_id, user_organization_id, project_id, organization_id, creation_date, change_date)
       values ('late', 'ann', 'acme', 'depot', 'acme', now(), now())`,
    );
    await held.query(
      `insert into events (authorization_id, type, time, request_id, user_id, project_id, organization_id, project_grant_id,
         role_keys, state, creation_date)
       select id, 'user.grant.added', creation_date, gen_random_uuid(), user_id, project_id, organization_id, '', '{}', state,
         creation_date
       from authorizations where id = 'late'`,
    );
    const removing = apply(server, root, remove({ projectId: "depot" }));
    await held.untilWaiting(1);
    await held.commit();
    expect((await removing).authorizations).toEqual([place("depot", "acme", 0, 2)]);
  });

  test("are counted if a grant is replaced without a key", async () => {
    const { authorizations } = await apply(server, root, projectGrant("shop-to-globex", "shop", "globex", "auditor"));
    expect(authorizations).toEqual([place("shop", "globex", 2, 0)]);
  });

  test("are counted only if the caller sees them, with the rights from before", async () => {
    const owner = await administrator(server.database, { organizationId: "acme", roles: ["ORG_OWNER"] });
    const ofGrant = await administrator(server.database, {
      projectGrantId: "shop-to-globex",
      roles: ["PROJECT_GRANT_OWNER_VIEWER"],
    });
    const [viewer] = await server.database.query<{ user_id: string }>(
      "select user_id from administrators where project_grant_id = 'shop-to-globex'",
    );
    expect(ofGrant).not.toBe("");
    const answers = async (dryRun: boolean) => {
      const changes = [removeRole("shop", "seller")];
      return (await server.callDirectory("ApplyChanges", { changes, dryRun }, { token: owner })).body.authorizations;
    };
    expect(await answers(true)).toEqual([place("shop", "acme", 1, 0)]);
    // The one who removes the grant sees its assignments as long as there is a grant.
    await apply(
      server,
      root,
      entry(viewer?.user_id ?? "", { projectId: "shop" }, "PROJECT_OWNER"),
      assignment("own", viewer?.user_id ?? "", "initech", ["seller"]),
    );
    const gone = await applyChanges(server, ofGrant, [
      remove({ projectGrantId: "shop-to-globex" }),
      remove({ projectGrantId: "shop-to-initech" }),
    ]);
    expect(gone.body.authorizations).toEqual([place("shop", "globex", 0, 2), place("shop", "initech", 0, 1)]);
    expect(await answers(false)).toEqual([place("shop", "acme", 1, 0)]);
  });
});
