import { create, fromBinary, fromJson, toBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import {
  ApplyChangesRequestSchema,
  ApplyChangesResponseSchema,
  ChangeOutcome_Effect,
} from "../../gen/service/directory/v1/directory_service_pb.ts";
import { listed } from "../support/assign.ts";
import { callHeaders } from "../support/call-headers.ts";
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
import { eventsOf } from "../support/events.ts";
import { fingerprint } from "../support/fingerprint.ts";
import { hold } from "../support/locks.ts";
import { serveTests } from "../support/server.ts";
import { role, user } from "../support/world.ts";

const server = await serveTests({ smallWorld: true });
const root = await server.database.token("root");

async function rowsOf(table: string, condition: string): Promise<unknown[]> {
  const rows = await server.database.query<{ row: object }>(
    `select to_jsonb(t) - 'words' as row from ${table} t where ${condition}`,
  );
  return rows.map(({ row }) => row);
}

const everything = () => fingerprint(server.database);

describe("ApplyChanges", () => {
  test("adds, replaces and removes every kind of thing; an upsert sets every field", async () => {
    const things: [add: object, change: object, remove: object, table: string, where: string, then: object][] = [
      [
        organization("o", "One"),
        organization("o", "Two"),
        remove({ organizationId: "o" }),
        "organizations",
        "id = 'o'",
        { id: "o", name: "Two" },
      ],
      [
        {
          user: {
            id: "u",
            organizationId: "acme",
            preferredLoginName: "u@acme",
            displayName: "U",
            avatarUrl: "https://a.example/u.png",
          },
        },
        { user: { id: "u", organizationId: "o", preferredLoginName: "u@o" } },
        remove({ userId: "u" }),
        "users",
        "id = 'u'",
        { id: "u", organization_id: "o", preferred_login_name: "u@o", display_name: "", avatar_url: "" },
      ],
      [
        project("p", "acme", "One"),
        project("p", "acme", "Two"),
        remove({ projectId: "p" }),
        "projects",
        "id = 'p'",
        { id: "p", organization_id: "acme", name: "Two" },
      ],
      [
        role("p", "k", "Key", "group"),
        { projectRole: { projectId: "p", key: "k" } },
        removeRole("p", "k"),
        "project_roles",
        "project_id = 'p'",
        { project_id: "p", key: "k", display_name: "", group_name: "", description: "" },
      ],
      [
        projectGrant("g", "p", "o"),
        projectGrant("g", "p", "o", "k"),
        remove({ projectGrantId: "g" }),
        "project_grant_roles",
        "project_grant_id = 'g'",
        { project_grant_id: "g", project_id: "p", role_key: "k" },
      ],
      [
        entry("u", { projectGrantId: "g" }, "PROJECT_GRANT_OWNER"),
        entry("u", { projectGrantId: "g" }, "PROJECT_GRANT_OWNER_VIEWER"),
        remove({ administrator: { userId: "u", projectGrantId: "g" } }),
        "administrators",
        "user_id = 'u'",
        {
          user_id: "u",
          organization_id: null,
          project_id: null,
          project_grant_id: "g",
          roles: ["PROJECT_GRANT_OWNER_VIEWER"],
          // Derived by Postgres.
          home_id: "o",
          scope: "3g",
        },
      ],
    ];
    for (const [add] of things) await apply(server, root, add);
    for (const [, change, , table, where, then] of things) {
      await apply(server, root, change);
      expect(await rowsOf(table, where)).toEqual([then]);
      // The same again is no change.
      const before = await everything();
      await apply(server, root, change);
      expect(await everything()).toEqual(before);
    }
    for (const [, , removal, table, where] of things.toReversed()) {
      await apply(server, root, removal);
      expect(await rowsOf(table, where)).toEqual([]);
    }
  });

  test("adds, changes and removes authorizations under their ids, with the plain types of events", async () => {
    const named = (more: object) => ({
      authorization: { id: "x", userId: "cid", projectId: "depot", organizationId: "acme", ...more },
    });
    await apply(server, root, named({ roleKeys: ["keeper"], creationDate: "2024-01-01T00:00:00.5Z" }));
    const added = await listed(server, "x", root);
    expect(added).toMatchObject({ creationDate: "2024-01-01T00:00:00.500Z", state: "STATE_ACTIVE" });
    await apply(server, root, named({ roleKeys: ["keeper"], state: "STATE_INACTIVE" }));
    await apply(server, root, named({ roleKeys: ["keeper"] }));
    await apply(server, root, named({ roleKeys: [] }));
    await apply(server, root, named({ state: "STATE_ACTIVE" }));
    const last = await listed(server, "x", root);
    await apply(server, root, remove({ authorizationId: "x" }));
    expect(await listed(server, "x", root)).toBeUndefined();
    const events = await eventsOf(server.database, "x");
    expect(events.map(({ type, actor_id, role_keys, state }) => [type, actor_id, role_keys, state])).toEqual([
      ["user.grant.added", "root", ["keeper"], "active"],
      ["user.grant.deactivated", "root", ["keeper"], "inactive"],
      ["user.grant.changed", "root", [], "inactive"],
      ["user.grant.reactivated", "root", [], "active"],
      ["user.grant.removed", "root", [], null],
    ]);
    expect([events[0]?.time, events[3]?.time]).toEqual([added.changeDate, last.changeDate]);
    const { body } = await server.call("DeleteAuthorization", { id: "x" }, { token: root });
    expect(body.deletionDate).toBe(events[4]?.time);
  });

  test("makes no temporary tables, which every later transaction of the connection would have to empty", async () => {
    await apply(
      server,
      root,
      ...[organization("t"), project("t-shop", "t"), role("t-shop", "seller"), user("t-user", "t")],
      projectGrant("t-grant", "t-shop", "acme", "seller"),
      entry("t-user", { organizationId: "t" }, "ORG_OWNER"),
    );
    await apply(server, root, projectGrant("t-grant", "t-shop", "acme"));
    await apply(server, root, remove({ organizationId: "t" }));
    expect(await server.database.query("select relname from pg_class where relpersistence = 't'")).toEqual([]);
  });

  test("removing something that doesn't exist changes nothing, and is counted", async () => {
    const before = await everything();
    await apply(
      server,
      root,
      remove({ organizationId: "nothing" }),
      remove({ userId: "nothing" }),
      remove({ projectId: "nothing" }),
      remove({ projectGrantId: "nothing" }),
      remove({ authorizationId: "nothing" }),
      removeRole("nothing", "seller"),
      removeRole("shop", "nothing"),
      remove({ administrator: { userId: "nothing", instance: true } }),
      remove({ administrator: { userId: "root", organizationId: "acme" } }),
      entry("ann", { instance: true }),
    );
    expect(await everything()).toEqual(before);
  });

  test.each(["{}", '{"changes":[]}', '{"changes":null}'])("applies nothing for %s", async (request) => {
    const { status, body } = await server.callDirectory("ApplyChanges", request, { token: root });
    expect({ status, body }).toEqual({
      status: 200,
      body: { applied: 0, outcomes: [], authorizations: [], tokensMayStay: false, version: expect.stringMatching(/./) },
    });
  });

  test("takes 1000 changes and refuses 1001 of them", async () => {
    const users = Array.from({ length: 1_001 }, (_, index) => user(`many-${index}`, "acme"));
    const refused = await applyChanges(server, root, users);
    expect([refused.status, refused.body.code]).toEqual([400, "invalid_argument"]);
    expect(refused.body.message).toContain("changes");
    expect(await rowsOf("users", "id like 'many-%'")).toEqual([]);
    await apply(server, root, ...users.slice(1));
    expect(await rowsOf("users", "id like 'many-%'")).toHaveLength(1_000);
    await apply(server, root, ...users.slice(1).map((_, index) => remove({ userId: `many-${index + 1}` })));
    expect(await rowsOf("users", "id like 'many-%'")).toEqual([]);
  });

  test("speaks binary too", async () => {
    const message = fromJson(ApplyChangesRequestSchema, {
      changes: [
        { organization: { id: "binary", name: "Binary" } },
        { remove: { projectRole: { projectId: "shop", key: "nothing" } } },
      ],
    });
    const response = await fetch(`${server.url}/service.directory.v1.DirectoryService/ApplyChanges`, {
      method: "POST",
      headers: callHeaders(root, "application/proto"),
      body: toBinary(ApplyChangesRequestSchema, message),
    });
    expect(response.status).toBe(200);
    const answer = fromBinary(ApplyChangesResponseSchema, new Uint8Array(await response.arrayBuffer()));
    expect(answer).toEqual(
      create(ApplyChangesResponseSchema, {
        applied: 2,
        outcomes: [
          {
            effect: ChangeOutcome_Effect.CREATED,
            after: { change: { case: "organization", value: { id: "binary", name: "Binary" } } },
          },
          { effect: ChangeOutcome_Effect.NONE },
        ],
        version: answer.version,
      }),
    );
    expect(await rowsOf("organizations", "id = 'binary'")).toEqual([{ id: "binary", name: "Binary" }]);
  });

  test("keeps every text as it was sent", async () => {
    const odd = ['\\N\t\r\n"{,}', "NULL", "\u{1f600}'", "\\.", " ", "{}"];
    const before = await everything();
    await apply(
      server,
      root,
      ...odd.map((id) => organization(id, id)),
      project("odd", "acme"),
      ...odd.map((key) => role("odd", key, key, key)),
      projectGrant("odd", "odd", odd[0] ?? "", ...odd),
    );
    expect((await rowsOf("organizations", "id = name and length(id) < 8")).length).toBeGreaterThanOrEqual(5);
    const keys = (await rowsOf("project_grant_roles", "project_grant_id = 'odd'")) as { role_key: string }[];
    expect(keys.map(({ role_key }) => role_key).toSorted()).toEqual(odd.toSorted());
    await apply(server, root, remove({ projectId: "odd" }), ...odd.map((id) => remove({ organizationId: id })));
    expect(await everything()).toEqual(before);
  });

  test("a request is applied all or nothing: a refused change leaves everything as it was", async () => {
    const before = await everything();
    const { status } = await applyChanges(server, root, [
      remove({ organizationId: "globex" }),
      removeRole("shop", "seller"),
      remove({ administrator: { userId: "root", instance: true } }),
      organization("new"),
      user("ann", "new"),
      user("x", "nowhere"),
    ]);
    expect(status).toBe(400);
    expect(await everything()).toEqual(before);
    // The connection that was used holds nothing of it either.
    await apply(server, root, organization("binary", "Binary"));
  });

  test("is rolled back whole when its time is over, and nothing is left waiting", async () => {
    const before = await everything();
    const held = await hold(server.database, "lock table events in share row exclusive mode");
    const answer = await server.callDirectory(
      "ApplyChanges",
      { changes: [removeRole("shop", "seller"), remove({ userId: "bob" }), organization("late")] },
      { token: root, headers: { "connect-timeout-ms": "400" } },
    );
    expect([answer.status, answer.body.code]).toEqual([504, "deadline_exceeded"]);
    await held.untilWaiting(0);
    await held.rollback();
    expect(await everything()).toEqual(before);
    await apply(server, root, remove({ organizationId: "late" }));
  });

  test("what is refused comes before a caller's time is up behind another change", async () => {
    const held = await hold(server.database, "select pg_advisory_xact_lock(7206381402113)");
    const { status } = await applyChanges(server, await server.database.token("ann"), [organization("x")]);
    expect(status).toBe(403);
    await held.rollback();
  });

  test("an administrator entry and a token stop working on the very next request", async () => {
    const token = await server.database.token("cid");
    await apply(server, root, entry("cid", { instance: true }, "IAM_OWNER"));
    const total = async () =>
      (await server.call("ListAuthorizations", {}, { token })).body.pagination?.totalResult ?? "nobody";
    expect(await total()).toBe(6);
    await apply(server, token, entry("cid", { instance: true }, "IAM_OWNER_VIEWER"));
    expect((await applyChanges(server, token, [])).status).toBe(403);
    expect(await total()).toBe(6);
    await apply(server, root, entry("cid", { instance: true }));
    expect(await total()).toBe(0);
    await apply(server, root, entry("cid", { organizationId: "globex" }, "ORG_OWNER"));
    expect(await total()).toBe(2);
    await apply(server, root, remove({ administrator: { userId: "cid", organizationId: "globex" } }));
    expect(await total()).toBe(0);
    await apply(server, root, remove({ userId: "cid" }));
    expect(await total()).toBe("nobody");
    await apply(server, root, user("cid", "initech"));
    expect(await total()).toBe("nobody");
  });

  test("an entry is replaced and removed in its scope alone", async () => {
    const scopes = [
      [{ instance: true }, "IAM_OWNER_VIEWER"],
      [{ organizationId: "acme" }, "ORG_OWNER"],
      [{ organizationId: "globex" }, "ORG_OWNER"],
      [{ projectId: "shop" }, "PROJECT_OWNER"],
      [{ projectGrantId: "shop-to-globex" }, "PROJECT_GRANT_OWNER"],
      [{ projectGrantId: "shop-to-initech" }, "PROJECT_GRANT_OWNER"],
    ] as const;
    const kept = async () => (await rowsOf("administrators", "user_id = 'bea'")).length;
    for (const gone of [
      (scope: object) => remove({ administrator: { userId: "bea", ...scope } }),
      (scope: object) => entry("bea", scope),
    ]) {
      await apply(server, root, ...scopes.map(([scope, name]) => entry("bea", scope, name)));
      for (const [index, [scope]] of scopes.entries()) {
        await apply(server, root, gone(scope));
        expect(await kept()).toBe(scopes.length - 1 - index);
      }
    }
  });

  test("who removes itself is answered, and unknown afterwards", async () => {
    await apply(server, root, user("second", "acme"), entry("second", { instance: true }, "IAM_OWNER"));
    const token = await server.database.token("second");
    await apply(server, token, remove({ userId: "second" }));
    expect((await applyChanges(server, token, [])).status).toBe(401);
  });
});
