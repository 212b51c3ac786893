import { beforeEach, describe, expect, test } from "vitest";
import { sealVersion } from "../../src/postgres/directory/sealed-version.ts";
import { entry, organization, project, projectGrant, remove, removeRole } from "../support/changes.ts";
import { hold } from "../support/locks.ts";
import { deniedAt, type ExpectedRefusal, expectRefusal } from "../support/refusals.ts";
import { type Answer, errorInfo, serveTests } from "../support/server.ts";
import { madeVersion, partsOf } from "../support/versions.ts";
import { role, user } from "../support/world.ts";

// docs/reference/directory.md: changes of what the caller has seen.

let root: string;

const server = await serveTests();

beforeEach(async () => {
  await server.database.load(
    organization("acme"),
    organization("globex"),
    user("ann", "acme"),
    user("root", "globex"),
    project("shop", "acme"),
    role("shop", "seller"),
    projectGrant("out", "shop", "globex", "seller"),
    entry("ann", { organizationId: "acme" }, "ORG_OWNER_VIEWER"),
    entry("ann", { projectId: "shop" }, "PROJECT_OWNER_VIEWER"),
    entry("ann", { projectGrantId: "out" }, "PROJECT_GRANT_OWNER_VIEWER"),
    entry("ann", { instance: true }, "IAM_OWNER_VIEWER"),
    entry("root", { instance: true }, "IAM_OWNER"),
    assigned("seller"),
  );
  root = await server.database.token("root");
});

const assigned = (...roleKeys: string[]) => ({
  authorization: { id: "a", userId: "ann", projectId: "shop", organizationId: "acme", roleKeys },
});

function send(changes: object[], ifVersion?: string, token = root): Promise<Answer> {
  const request = { changes, ...(ifVersion === undefined ? {} : { ifVersion }) };
  return server.callDirectory("ApplyChanges", request, { token });
}

/** A version that has everything so far. */
async function seen(): Promise<string> {
  const { status, body } = await send([]);
  expect(status).toBe(200);
  expect(body.version).toMatch(/^[\w-]+$/);
  return body.version;
}

const appendEvent = `
  insert into directory_events (time, kind, id, within, request_id, before, after)
  values (now(), $1, $2, $3, gen_random_uuid(), '{}', '{"name":"Another"}')`;

const changed = (index: number): ExpectedRefusal => ({
  ...{ status: 409, code: "aborted", reason: "DIRECTORY_CHANGED" },
  metadata: { index: String(index) },
});
const invalid: ExpectedRefusal = { status: 400, code: "invalid_argument", reason: "VERSION_INVALID" };

describe("A request is made only if what its changes name has not changed since the version:", () => {
  const things: [what: string, event: [kind: string, id: string, within: string], ...changes: object[]][] = [
    [
      "an organization",
      ["organization", "acme", ""],
      organization("acme", "Another"),
      remove({ organizationId: "acme" }),
    ],
    ["a user", ["user", "ann", ""], user("ann", "acme", "Another"), remove({ userId: "ann" })],
    ["a project", ["project", "shop", ""], project("shop", "acme", "Another"), remove({ projectId: "shop" })],
    ["a role", ["projectRole", "seller", "shop"], role("shop", "seller"), removeRole("shop", "seller")],
    ["a grant", ["projectGrant", "out", ""], projectGrant("out", "shop", "globex"), remove({ projectGrantId: "out" })],
    ...(
      [
        [{ organizationId: "acme" }, "organization:acme", "ORG_OWNER"],
        [{ projectId: "shop" }, "project:shop", "PROJECT_OWNER"],
        [{ projectGrantId: "out" }, "projectGrant:out", "PROJECT_GRANT_OWNER"],
        [{ instance: true }, "instance:", "IAM_OWNER"],
      ] as const
    ).map(([scope, within, name]): [string, [string, string, string], ...object[]] => [
      `an entry on ${within}`,
      ["administrator", "ann", within],
      entry("ann", scope, name),
      remove({ administrator: { userId: "ann", ...scope } }),
    ]),
  ];

  test.each(things)("%s", async (_what, event, ...changes) => {
    for (const change of changes) {
      const before = await seen();
      // Things beside it, and what is only close to it.
      for (const other of things) if (other[1] !== event) await server.database.query(appendEvent, other[1]);
      for (const column of [0, 1, 2]) {
        const close = event.map((value, index) => (index === column ? (index === 0 ? "token" : `${value}x`) : value));
        await server.database.query(appendEvent, close);
      }
      expect((await send([change], before)).status).toBe(200);
    }
    for (const change of changes) {
      const before = await seen();
      await server.database.query(appendEvent, event);
      expectRefusal(await send([organization("new"), change], before), changed(1));
      expect((await send([organization("new")], await seen())).status).toBe(200);
    }
  });

  test("an assignment that a change names, but not those that follow one", async () => {
    const before = await seen();
    const update = { id: "a", roleKeys: [] };
    expect((await server.call("UpdateAuthorization", update, { token: root })).status).toBe(200);
    expectRefusal(await send([organization("acme"), assigned("seller")], before), changed(1));
    expectRefusal(await send([remove({ authorizationId: "a" })], before), changed(0));
    expect((await send([removeRole("shop", "seller")], before)).status).toBe(200);
    expect((await send([remove({ authorizationId: "a" })], await seen())).status).toBe(200);
  });

  test("nothing is left of a refused request", async () => {
    const before = await seen();
    await server.database.query(appendEvent, ["user", "ann", ""]);
    expectRefusal(await send([organization("left-over"), user("ann", "acme", "Another")], before), changed(1));
    expect(await server.database.query("select from organizations where id = 'left-over'")).toEqual([]);
  });
});

describe("A version has", () => {
  test("the changes of its own request", async () => {
    const change = (name: string) => [
      user("ann", "acme", name),
      assigned(...(name === "Two" ? ["seller"] : [])),
      organization("acme", name),
    ];
    const { body } = await send(change("One"));
    const next = await send(change("Two"), body.version);
    expect(next.status).toBe(200);
    expect(errorInfo(await send(change("Three"), body.version))?.reason).toBe("DIRECTORY_CHANGED");
    expect((await send(change("Three"), next.body.version)).status).toBe(200);
  });

  test("no change that was not committed when it was made, even one with a lower sequence", async () => {
    const held = await hold(server.database, appendEvent, ["user", "ann", ""]);
    await server.database.query(appendEvent, ["organization", "globex", ""]);
    const before = await seen();
    expect((await send([user("ann", "acme")], before)).status).toBe(200);
    await held.commit();
    expectRefusal(await send([user("ann", "acme")], before), changed(0));
    expect((await send([organization("globex")], before)).status).toBe(200);
  });
});

describe("If a thing changes while a request waits for it,", () => {
  test("the request is refused behind the lock", async () => {
    const before = await seen();
    const held = await hold(server.database, "select pg_advisory_xact_lock(7206381402113)");
    const waiting = send([organization("globex"), user("ann", "acme", "Another")], before);
    await held.untilWaiting(1);
    await held.query(appendEvent, ["user", "ann", ""]);
    await held.commit();
    expectRefusal(await waiting, changed(1));
  });

  test("so it is if an assignment changes, which needs no such lock", async () => {
    const before = await seen();
    const held = await hold(server.database, "select from authorizations where id = 'a' for update");
    const [updating, waiting] = await held.holdUp([
      () => server.call("UpdateAuthorization", { id: "a", roleKeys: [] }, { token: root }),
      () => send([assigned("seller")], before),
    ]);
    expect(updating.status).toBe(200);
    expectRefusal(waiting, changed(0));
  });
});

describe("A request with an old version", () => {
  test("is refused without waiting for a lock", async () => {
    const before = await seen();
    await server.database.query(appendEvent, ["user", "ann", ""]);
    await hold(server.database, "select pg_advisory_xact_lock(7206381402113)");
    expectRefusal(await send([user("ann", "acme")], before), changed(0));
  });

  test("reveals nothing to callers who may not make its changes", async () => {
    const before = await seen();
    await server.database.query(appendEvent, ["user", "ann", ""]);
    await server.database.load(user("eve", "globex"), entry("eve", { organizationId: "globex" }, "ORG_OWNER"));
    const refused = await send([user("ann", "acme")], before, await server.database.token("eve"));
    expectRefusal(refused, deniedAt(0, "user.write"));
  });
});

describe("A version of a database", () => {
  test("says nothing about another one", async () => {
    const before = await seen();
    await server.database.query("update migrations set run_on = run_on + interval '1 second'");
    try {
      expectRefusal(await send([user("ann", "acme")], before), changed(0));
      expect((await send([], before)).status).toBe(200);
    } finally {
      await server.database.query("update migrations set run_on = run_on - interval '1 second'");
    }
  });

  test("says nothing about one that was restored from a backup without its last event", async () => {
    await server.database.query(appendEvent, ["organization", "globex", ""]);
    const before = await seen();
    await server.database.query("alter table directory_events disable trigger directory_events_are_kept");
    await server.database.query(
      "delete from directory_events where sequence = (select max(sequence) from directory_events)",
    );
    await server.database.query("alter table directory_events enable trigger directory_events_are_kept");
    expectRefusal(await send([user("ann", "acme")], before), changed(0));
  });

  test("knows what was restored from a backup into a new cluster, which counts transactions from another number on", async () => {
    await server.database.query(
      `insert into directory_events (transaction, time, kind, id, request_id, after)
      values ('9000000', now(), 'organization', 'acme', gen_random_uuid(), '{"id":"acme"}')`,
    );
    const before = await seen();
    const renamed = { organization: { id: "acme", name: "Another name" } };
    expect(await send([renamed], before)).toMatchObject({ status: 200 });
    expectRefusal(await send([organization("acme")], before), changed(0));
  });

  test("says nothing about one that has not come as far", async () => {
    const parts = await partsOf(server.database, await seen());
    const snapshot = parts.snapshot.replace(/\d+/g, (id) => String(Number(id) + 1_000_000));
    const later = await madeVersion(server.database, { ...parts, snapshot });
    expectRefusal(await send([user("ann", "acme")], later), changed(0));
  });

  test("is none for another database that was made separately", async () => {
    const before = await seen();
    const [old] = await server.database.query<{ key: Buffer }>("select version_key as key from database_secrets");
    await server.database.query("update database_secrets set version_key = sha256(version_key)");
    try {
      // The server has kept nothing of the old one.
      expectRefusal(await send([], before), invalid);
      expect((await send([], await seen())).status).toBe(200);
    } finally {
      await server.database.query("update database_secrets set version_key = $1", [old?.key]);
    }
    expect((await send([], before)).status).toBe(200);
  });
});

describe("A version tells those who have it nothing", () => {
  test("about what it contains: without the key, it is random bytes of the same length", async () => {
    const [one, two] = [await seen(), await seen()];
    const parts = Object.values(await partsOf(server.database, one)).filter((part) => part !== "");
    expect(parts).toHaveLength(3);
    for (const part of parts) expect(Buffer.from(one, "base64url").includes(part)).toBe(false);
    expect([one.length, one === two]).toEqual([two.length, false]);
    expect(one.slice(0, 16)).not.toBe(two.slice(0, 16));
  });

  test("about what was in a project, a grant or an organization before it was created again in other hands", async () => {
    const scopes = [{ projectId: "shop" }, { projectGrantId: "out" }, { organizationId: "acme" }];
    const before = await seen();
    expect((await send([remove({ organizationId: "acme" })])).status).toBe(200);
    const again = [organization("acme"), project("shop", "acme"), projectGrant("out", "shop", "globex")];
    const made = await send([...again, user("ann", "globex"), user("bob", "globex")]);
    const removals = [
      ...["seller", "never"].map((key) => removeRole("shop", key)),
      ...scopes.flatMap((scope) => ["ann", "bob"].map((userId) => remove({ administrator: { userId, ...scope } }))),
    ];
    for (const removal of removals) {
      expectRefusal(await send([removal], before), changed(0));
      expect((await send([removal], made.body.version)).status).toBe(200);
      expect((await send([removal], await seen())).status).toBe(200);
    }
  });
});

describe("What is no version is refused:", () => {
  test.each<[string, (version: string) => string[]]>([
    ["what holds nothing that can be read", () => ["x", "e30", "W10", "%", "é", "bnVsbA", "a".repeat(10_000)]],
    [
      "one that did not arrive whole",
      (version) => [version.slice(1), version.slice(0, -2), `${version}AAAA`, `${version}=`, ` ${version}`],
    ],
    ["one with any byte changed", withOneByteChanged],
  ])("%s", async (_what, others) => {
    for (const other of others(await seen())) expectRefusal(await send([organization("acme")], other), invalid);
  });

  function withOneByteChanged(version: string): string[] {
    const bytes = Buffer.from(version, "base64url");
    return [0, 11, 12, 40, bytes.length - 17, bytes.length - 16, bytes.length - 1].map((at) => {
      const altered = Buffer.from(bytes);
      altered[at] = (altered[at] ?? 0) ^ 1;
      return altered.toString("base64url");
    });
  }

  test("one that was made without the key", async () => {
    const parts = await partsOf(server.database, await seen());
    expectRefusal(await send([organization("acme")], sealVersion(parts, Buffer.alloc(32))), invalid);
    const readable = Buffer.from(JSON.stringify(Object.values(parts))).toString("base64url");
    expectRefusal(await send([organization("acme")], readable), invalid);
  });

  test("and one that is too long breaks a rule of the message", async () => {
    const { status, body } = await send([], "a".repeat(65_537));
    expect([status, body.code, body.details[0].type]).toEqual([400, "invalid_argument", "buf.validate.Violations"]);
  });
});
