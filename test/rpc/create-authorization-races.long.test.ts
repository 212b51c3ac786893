import { afterEach, describe, expect, test } from "vitest";
import { appendEvents } from "../support/append-events.ts";
import { administrator, listed } from "../support/assign.ts";
import { applyChanges, projectGrant, remove, removeRole } from "../support/changes.ts";
import { eventsOf } from "../support/events.ts";
import { freshServerForEach } from "../support/fresh-worlds.ts";
import { hold } from "../support/locks.ts";
import {
  denied,
  type ExpectedRefusal,
  exists,
  expectRefusal,
  precondition,
  rolesNotFound,
} from "../support/refusals.ts";
import { type Answer, errorInfo, startTestServer, type TestServer } from "../support/server.ts";
import { until } from "../support/until.ts";
import { authorization, user } from "../support/world.ts";

let server: TestServer;
let other: TestServer;
let root: string;

freshServerForEach({ poolSize: 10 }, async (...given) => {
  [server, root] = given;
  other = await startTestServer({ poolSize: 10, database: server.database });
});
afterEach(() => other.stop());

const request = { userId: "cid", projectId: "shop", organizationId: "globex", roleKeys: ["auditor", "seller"] };

function create(through = server): Promise<Answer> {
  return through.call("CreateAuthorization", request, { token: root });
}

test("of twenty identical creates at once, through two servers, one succeeds and the rest get its id", async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => create(index % 2 ? server : other)));
  const winners = answers.filter(({ status }) => status === 200);
  expect(winners).toHaveLength(1);
  for (const answer of answers) {
    if (answer.status !== 200) expectRefusal(answer, exists(winners[0]?.body.id));
  }
  expect(await eventsOf(server.database, winners[0]?.body.id)).toHaveLength(1);
});

describe("while a twin is being created by another transaction", () => {
  const twin = `
    with a as (
      insert into authorizations
      values ('twin', 'cid', 'initech', 'shop', 'globex', 'shop-to-globex', 'active', now(), now())
      returning *)
    ${appendEvents(`
      select id, 'user.grant.added', change_date, null, user_id, project_id, organization_id, project_grant_id,
        '{}'::text[], state
      from a`)}`;

  test("a create waits, and is refused with its id once it is there", async () => {
    const held = await hold(server.database, twin);
    const [creating] = await held.holdUp([create]);
    expectRefusal(creating, exists("twin"));
  });

  test("a create waits, and succeeds when it is undone", async () => {
    const held = await hold(server.database, twin);
    const creating = create();
    await held.untilWaiting(1);
    await held.rollback();
    expect((await creating).status).toBe(200);
  });

  test("a change that puts it in place, too, waits, and is refused with its id", async () => {
    const held = await hold(server.database, twin);
    const [changing] = await held.holdUp([
      () => applyChanges(server, root, [{ authorization: { id: "x", ...request } }]),
    ]);
    expect(errorInfo(changing)).toMatchObject({
      reason: "AUTHORIZATION_EXISTS",
      metadata: { id: "twin", index: "0" },
    });
  });
});

test("a create that waits for a change that puts a twin in place is refused with its id", async () => {
  const held = await hold(server.database, "lock table events in share row exclusive mode");
  // Both may wait for the lock of the table alone; the change of the directory stands there first.
  const change = () => applyChanges(server, root, [{ authorization: { id: "x", ...request } }]);
  const [changing, creating] = await held.holdUp([change, create]);
  expect(changing.status).toBe(200);
  expectRefusal(creating, exists("x"));
});

test("a create doesn't wait for the delete of the same combination: it is refused until then", async () => {
  const first = await create();
  const held = await hold(server.database, "lock table events in share mode");
  const deleting = server.call("DeleteAuthorization", { id: first.body.id }, { token: root });
  await held.untilWaiting(1);
  expectRefusal(await create(other), exists(first.body.id));
  await held.commit();
  expect((await deleting).status).toBe(200);
  expect((await create(other)).status).toBe(200);
});

test("creates and deletes of one combination, many at once, end in one of the two states", async () => {
  const answers: Answer[] = [];
  async function workOn(through: TestServer): Promise<void> {
    for (let round = 0; round < 15; round += 1) {
      const created = await create(through);
      answers.push(created);
      const id = created.status === 200 ? created.body.id : created.body.details[0].debug.metadata.id;
      answers.push(await through.call("DeleteAuthorization", { id }, { token: root }));
    }
  }
  await Promise.all([server, other, server, other].map(workOn));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
});

const removals: [string, object, ExpectedRefusal, event: "changed" | "removed"][] = [
  ["the user", remove({ userId: "cid" }), precondition("USER_NOT_FOUND"), "removed"],
  ["a role of it", removeRole("shop", "auditor"), rolesNotFound("auditor"), "changed"],
  [
    "a key of the grant",
    projectGrant("shop-to-globex", "shop", "globex", "seller"),
    rolesNotFound("auditor"),
    "changed",
  ],
  ["the grant", remove({ projectGrantId: "shop-to-globex" }), precondition("PROJECT_NOT_GRANTED"), "removed"],
  ["the project", remove({ projectId: "shop" }), precondition("PROJECT_NOT_GRANTED"), "removed"],
  ["the organization", remove({ organizationId: "globex" }), precondition("ORGANIZATION_NOT_FOUND"), "removed"],
];

describe.each(removals)("A create that meets the removal of %s", (_what, change, refused, event) => {
  test("waits for it when it came first, and is then refused", async () => {
    // The removal comes as far as the statement that appends events.
    const held = await hold(server.database, "lock table events in share row exclusive mode");
    const [removing, creating] = await held.holdUp([() => applyChanges(other, root, [change]), create]);
    expect(removing.body).toMatchObject({ applied: 1 });
    expectRefusal(creating, refused);
  });

  test("succeeds when it came first, and what follows from the removal befalls it too", async () => {
    // The create has entered the project then.
    const held = await hold(server.database, "select from users where id = 'cid' for update");
    const [{ status, body }, removing] = await held.holdUp([create, () => applyChanges(other, root, [change])]);
    expect(status).toBe(200);
    expect(removing.body).toMatchObject({ applied: 1 });
    const types = (await eventsOf(server.database, body.id)).map(({ type }) => type);
    expect(types).toEqual(["user.grant.added", `user.grant.cascade.${event}`]);
    const left = await listed(server, body.id, root);
    expect(left?.roles.map(({ key }: { key: string }) => key)).toEqual(event === "changed" ? ["seller"] : undefined);
  });
});

const nameOf = async (id: string) => {
  const named = "select user_name from authorizations where id = $1";
  const [row] = await server.database.query<{ user_name: string }>(named, [id]);
  return row?.user_name;
};

describe("While a change of the directory renames a user", () => {
  const rename = (...more: object[]) => applyChanges(other, root, [user("cid", "initech", "New"), ...more]);
  /** A change of the directory comes to projects after it has named users and locked the assignments that it names. */
  const project = { project: { id: "held", organizationId: "acme", name: "Held" } };
  const stopAtProjects = () => hold(server.database, "insert into projects values ('held', 'acme', 'Held')");

  test("a create waits for nothing, and its assignment gets the new name with the others", async () => {
    const held = await stopAtProjects();
    const renaming = rename(project);
    await held.untilWaiting(1);
    const { status, body } = await create();
    expect([status, await nameOf(body.id)]).toEqual([200, "cid of initech"]);
    await held.commit();
    expect((await renaming).body).toMatchObject({ applied: 2 });
    expect(await nameOf(body.id)).toBe("new");
  });

  test("it waits for a create that came first, whose assignment gets the new name too", async () => {
    // The create has locked the user, and waits for its twin.
    const held = await hold(
      server.database,
      `insert into authorizations (
         id, user_id, user_organization_id, project_id, organization_id, project_grant_id, state, creation_date, change_date,
         user_name)
       values ('twin', 'cid', 'initech', 'shop', 'globex', 'shop-to-globex', 'active', now(), now(), '')`,
    );
    const creating = create();
    await held.untilWaiting(1);
    const renaming = rename();
    await held.untilWaiting(2);
    await held.rollback();
    const { status, body } = await creating;
    expect((await renaming).body).toMatchObject({ applied: 1 });
    expect([status, await nameOf(body.id)]).toEqual([200, "new"]);
  });

  test("a create that comes at its end has the new name too", async () => {
    const { body } = await create();
    const held = await hold(server.database, "select from authorizations where id = $1 for update", [body.id]);
    const renaming = rename();
    await held.untilWaiting(1);
    const elsewhere = { ...request, organizationId: "initech", roleKeys: [] };
    const creating = server.call("CreateAuthorization", elsewhere, { token: root });
    await held.commit();
    expect((await renaming).status).toBe(200);
    expect(await nameOf((await creating).body.id)).toBe("new");
  });

  test("it lets go of the user's assignments while their holder waits for one that it has locked itself", async () => {
    const put = authorization("k2", "ann", "depot", "acme", [], "2024-01-01T00:00:00Z");
    await server.database.load(authorization("k1", "cid", "shop", "initech", [], "2024-01-01T00:00:00Z"), put);
    const held = await stopAtProjects();
    // An import can't begin again.
    const importing = server.database.import(user("cid", "initech", "New"), project, put);
    await held.untilWaiting(1);
    const inactive = { state: "STATE_INACTIVE", items: [{ id: "k1" }, { id: "k2" }] };
    const headers = { "connect-timeout-ms": "4000" };
    const batch = server.call("BatchSetState", inactive, { token: root, headers });
    await held.untilWaiting(2);
    await until("the batch to have looked for a circle of waiting, and found none yet", async () => {
      const waiting =
        "select from pg_locks where waitstart < clock_timestamp() - 1.2 * current_setting('deadlock_timeout')::interval";
      return (await server.database.query(waiting)).length > 1;
    });
    await held.commit();
    // Postgres may end the wait of the batch, which then begins again.
    expect([200, 504]).toContain((await batch).status);
    await importing;
    expect(await nameOf("k1")).toBe("new");
  });
});

test.each<[string, scope: object, role: string, organizationId: string]>([
  ["grant", { projectGrantId: "shop-to-globex" }, "PROJECT_GRANT_OWNER", "globex"],
  ["project", { projectId: "shop" }, "PROJECT_OWNER", "acme"],
])(
  "A create that waits while the %s goes that gave the permission is PERMISSION_DENIED, whatever exists",
  async (_what, scope, role, organizationId) => {
    const token = await administrator(server.database, { ...scope, roles: [role] });
    const held = await hold(server.database, "lock table events in share row exclusive mode");
    const removing = applyChanges(other, root, [remove(scope)]);
    await held.untilWaiting(1);
    const create = (userId: string) =>
      server.call("CreateAuthorization", { userId, projectId: "shop", organizationId }, { token });
    const creating = create("cid");
    await held.untilWaiting(2);
    expectRefusal(await create("no such user"), precondition("USER_NOT_FOUND"));
    await held.commit();
    expect((await removing).status).toBe(200);
    for (const answer of [await creating, await create("no such user")]) expect(answer.status).toBe(403);
    expectRefusal(await creating, denied("user.grant.write"));
  },
);
