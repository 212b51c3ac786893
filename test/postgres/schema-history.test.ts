import { afterAll, describe, expect, test } from "vitest";
import { createSmallWorld } from "../support/database.ts";

const database = await createSmallWorld();
afterAll(() => database.drop());

function stateOf(statement: string, values: unknown[] = []): Promise<string> {
  return database.query(statement, values).then(
    () => "accepted",
    (error: any) => error.code,
  );
}

const addEvent = `insert into events (
  authorization_id, type, time, actor_id, user_id, project_id, organization_id, project_grant_id, role_keys, state,
  creation_date, state_before, creation_date_before, request_id)
  values ('a1', $1, $2, null, 'ann', 'shop', 'acme', '', '{}', $3::authorization_state,
    case when $3::authorization_state is not null then now() end, 'active', now(), gen_random_uuid())`;
const now = "2026-01-01T00:00:00Z";

describe("The rows of the event table", () => {
  test.each([
    ["update", "update events set actor_id = 'ann'"],
    ["update of no row", "update events set actor_id = 'ann' where false"],
    [
      "upsert",
      "insert into events overriding system value select * from events limit 1 on conflict (sequence) do update set actor_id = 'ann'",
    ],
    ["delete", "delete from events"],
    ["truncate", "truncate events"],
    ["truncate with others", "truncate organizations, events cascade"],
    ["merge", "merge into events e using (select 1) x on true when matched then delete"],
  ])("are never changed or deleted: %s", async (_what, statement) => {
    const before = await database.query("select * from events order by sequence");
    expect(before.length).toBeGreaterThan(5);
    expect(await stateOf(statement)).toBe("P0001");
    expect(await database.query("select * from events order by sequence")).toEqual(before);
  });

  test("outlive what they are about", async () => {
    await database.query("delete from authorizations where id = 'a3'");
    expect(await database.query("select from events where authorization_id = 'a3'")).toHaveLength(1);
  });

  test("cannot be given a sequence by hand", async () => {
    expect(await stateOf("insert into events select * from events limit 1")).toBe("428C9");
  });

  test("have one of seven types, and a state exactly when the authorization is still there", async () => {
    const kept = [
      "user.grant.added",
      "user.grant.changed",
      "user.grant.deactivated",
      "user.grant.reactivated",
      "user.grant.cascade.changed",
    ];
    const removed = ["user.grant.removed", "user.grant.cascade.removed"];
    for (const type of kept) {
      expect(await stateOf(addEvent, [type, now, null])).toBe("23514");
      expect(await stateOf(`${addEvent} returning sequence`, [type, now, "inactive"])).toBe("accepted");
    }
    for (const type of removed) {
      expect(await stateOf(addEvent, [type, now, "active"])).toBe("23514");
      expect(await stateOf(addEvent, [type, now, null])).toBe("accepted");
    }
    for (const type of ["", "user.grant.cascade.added", "user.grant.Added", "added"]) {
      expect(await stateOf(addEvent, [type, now, "active"])).toBe("23514");
      expect(await stateOf(addEvent, [type, now, null])).toBe("23514");
    }
  });

  test.each([
    ["a change of nothing", "'user.grant.changed', 'active', now(), null, null, null, null"],
    ["a creation date without a state", "'user.grant.removed', null, now(), 'active', now(), null, null"],
    ["a state without a creation date", "'user.grant.changed', 'active', null, 'active', now(), null, null"],
    ["a state before without a creation date", "'user.grant.changed', 'active', now(), 'active', null, null, null"],
    ["half a place before", "'user.grant.added', 'active', now(), 'active', now(), 'shop', null"],
  ])("never tell of %s", async (_what, values) => {
    const insert = `insert into events (
        authorization_id, time, user_id, project_id, organization_id, project_grant_id, role_keys,
        request_id, type, state, creation_date, state_before, creation_date_before, project_id_before, organization_id_before)
      values ('z', now(), 'ann', 'shop', 'acme', '', '{}',
        gen_random_uuid(), ${values})`;
    expect(await stateOf(insert)).toBe("23514");
  });

  test("have a time that protobuf can say", async () => {
    for (const time of ["infinity", "-infinity", "10000-01-01T00:00:00Z"]) {
      expect(await stateOf(addEvent, ["user.grant.added", time, "active"])).toBe("23514");
    }
  });
});

describe("The rows of the tables of events", () => {
  test.each(
    ["directory_events", "directory_event_places"].flatMap((table) =>
      [
        `update ${table} set time = now()`,
        `update ${table} set time = now() where false`,
        `delete from ${table}`,
        `truncate ${table}`,
        `merge into ${table} e using (select 1) x on true when matched then delete`,
      ].map((statement) => [statement]),
    ),
  )("of the directory are never changed or deleted: %s", async (statement) => {
    const rows = () =>
      database.query("select sequence from directory_events natural join directory_event_places order by 1");
    await database.query(
      `with event as (
         insert into directory_events (time, kind, id, request_id, after)
         values (now(), 'organization', 'acme', gen_random_uuid(), '{}') returning *)
       insert into directory_event_places (kind, id, time, sequence) select kind, id, time, sequence from event`,
    );
    const before = await rows();
    expect(before.length).toBeGreaterThan(0);
    expect(await stateOf(statement)).toBe("P0001");
    expect(await rows()).toEqual(before);
  });
});

describe("Deleting by SQL", () => {
  const entries = () =>
    database.query(
      "select user_id, organization_id, project_id, project_grant_id from administrators order by 1, 2, 3, 4",
    );

  test("a user takes its tokens and administrator entries along", async () => {
    const token = await database.token("nobody");
    await database.load({ administrator: { userId: "nobody", organizationId: "initech", roles: ["ORG_OWNER"] } });
    expect(token).toBeDefined();
    await database.query("delete from users where id = 'nobody'");
    expect(await database.query("select from tokens where user_id = 'nobody'")).toEqual([]);
    expect(await database.query("select from administrators where user_id = 'nobody'")).toEqual([]);
  });

  test("an organization, a project and a grant take the administrator entries scoped to them along", async () => {
    await database.load(
      { organization: { id: "lonely", name: "Lonely" } },
      { project: { id: "bare", organizationId: "acme", name: "Bare" } },
      { projectGrant: { id: "bare-to-globex", projectId: "bare", organizationId: "globex" } },
      { administrator: { userId: "cid", organizationId: "lonely", roles: ["ORG_OWNER"] } },
      { administrator: { userId: "cid", projectId: "bare", roles: ["PROJECT_OWNER"] } },
      { administrator: { userId: "cid", projectGrantId: "bare-to-globex", roles: ["PROJECT_GRANT_OWNER"] } },
      { administrator: { userId: "cid", projectId: "shop", roles: ["PROJECT_OWNER"] } },
    );
    expect(await entries()).toHaveLength(5);
    await database.query("delete from project_grants where id = 'bare-to-globex'");
    expect(await entries()).toHaveLength(4);
    await database.query("delete from projects where id = 'bare'");
    expect(await entries()).toHaveLength(3);
    await database.query("delete from organizations where id = 'lonely'");
    expect(await entries()).toEqual([
      { user_id: "cid", organization_id: null, project_id: "shop", project_grant_id: null },
      { user_id: "root", organization_id: null, project_id: null, project_grant_id: null },
    ]);
  });

  test("an authorization takes its roles along", async () => {
    await database.query("delete from authorizations where id = 'a1'");
    expect(await database.query("select from authorization_roles where authorization_id = 'a1'")).toEqual([]);
  });
});

describe("Text", () => {
  test("compares by code point in every column of ours", async () => {
    const columns = await database.query<{ column: string; collation: string }>(
      `select attrelid::regclass || '.' || attname as column, collname as collation
       from pg_attribute
       join pg_class c on c.oid = attrelid
       join pg_collation l on l.oid = attcollation
       where c.relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm') and attnum > 0
         and c.relname <> 'migrations'`,
    );
    expect(columns.length).toBeGreaterThan(40);
    expect(columns.filter(({ collation }) => collation !== "C")).toEqual([]);
  });

  test("sorts Z before a, and a letter beyond the first 65536 after all others", async () => {
    const ids = ["Z", "a", "z", "ä", "\u{ffee}", "\u{1f600}"];
    await database.load(...ids.toReversed().map((id) => ({ organization: { id, name: "x" } })));
    const rows = await database.query<{ id: string }>("select id from organizations where name = 'x' order by id");
    expect(rows.map(({ id }) => id)).toEqual(ids);
  });
});
