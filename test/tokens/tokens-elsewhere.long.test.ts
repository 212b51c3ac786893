import { describe, expect, test } from "vitest";
import { apply, applyChanges, entry, organization, remove } from "../support/changes.ts";
import { directoryEvents } from "../support/directory-history.ts";
import { freshServerForEach } from "../support/fresh-worlds.ts";
import { deadlocksIn, hold } from "../support/locks.ts";
import { bodyOf, type TestServer } from "../support/server.ts";
import { type Created, callTokens, created, listedTokens, statusWith } from "../support/tokens.ts";
import { user } from "../support/world.ts";

// docs/reference/tokens.md, "When users are removed".

let server: TestServer;
let root: string;
let manager: string;
/** Of Initech, once an IAM_OWNER, and made with a token of root. */
let leaver: Created;
let near: Created;
/** The token of a user of Globex. */
let far: Created;

freshServerForEach({}, async (...given) => {
  [server, root] = given;
  await apply(
    server,
    root,
    user("leaver", "initech"),
    entry("leaver", { instance: true }, "IAM_OWNER"),
    entry("cid", { organizationId: "initech" }, "ORG_USER_MANAGER"),
  );
  manager = await server.database.token("cid");
  leaver = await created(server, root, { userId: "leaver" });
  near = await created(server, leaver.token, { userId: "nobody" });
  far = await created(server, leaver.token, { userId: "bob" });
  await apply(server, root, remove({ administrator: { userId: "leaver", instance: true } }));
});

const statuses = (...tokens: Created[]) => Promise.all(tokens.map(({ token }) => statusWith(server, token)));
const removal = remove({ userId: "leaver" });

async function dryRun(token: string, ...changes: object[]) {
  const body = await bodyOf(server.callDirectory("ApplyChanges", { changes, dryRun: true }, { token }));
  return { ...body, version: undefined };
}

describe("Removing a user", () => {
  test("revokes what its tokens made, but for tokens of users whom the caller may not remove", async () => {
    const next = await created(server, far.token);
    await apply(server, manager, removal);
    expect(await statuses(leaver, near, far, next)).toEqual([401, 401, 200, 200]);
  });

  test("also revokes what a token that stays made for a user whom the caller may remove", async () => {
    await apply(server, root, entry("bob", { instance: true }, "IAM_OWNER"));
    const back = await created(server, far.token, { userId: "nobody" });
    const farther = await created(server, back.token);
    await server.database.query("update tokens set user_id = 'bea' where id = $1", [farther.id]);
    await apply(server, manager, removal);
    expect(await statuses(far, back, farther)).toEqual([200, 401, 200]);
    // It now hangs on the one that stayed.
    await callTokens(server, "RevokeToken", { id: far.id }, root);
    expect(await statuses(farther)).toEqual([401]);
  });

  test("appends an event for each token that is revoked, and for no other", async () => {
    const [last] = (await directoryEvents(server.database)).slice(-1);
    await apply(server, manager, removal);
    const events = (await directoryEvents(server.database, last?.sequence)).filter(({ kind }) => kind === "token");
    const revoked = [leaver.id, near.id].sort();
    expect(events).toMatchObject(revoked.map((id) => ({ id, actor_id: "cid", before: { id }, after: null })));
  });

  test("leaves the tokens that stay to those who made the removed user's: revoking theirs revokes these, too", async () => {
    const owners = await created(server, root);
    const between = await created(server, owners.token, { userId: "leaver" });
    await apply(server, root, entry("leaver", { instance: true }, "IAM_OWNER"));
    const below = await created(server, between.token, { userId: "bob" });
    await apply(server, root, remove({ administrator: { userId: "leaver", instance: true } }));
    await apply(server, manager, removal);
    expect(await statuses(between, below)).toEqual([401, 200]);
    expect(await callTokens(server, "RevokeToken", { id: owners.id }, root)).toMatchObject({ body: { revoked: 2 } });
    expect(await statuses(below)).toEqual([401]);
  });

  test("leaves tokens that stay with no token before them, if the removed user's had none", async () => {
    await server.database.query("update tokens set made_with = null where id = $1", [leaver.id]);
    await apply(server, manager, removal);
    const [row] = await server.database.query("select made_with from tokens where id = $1", [far.id]);
    expect(row).toEqual({ made_with: null });
    // Who made it is still there to be found.
    expect(await listedTokens(server, root, { userId: "bob" })).toMatchObject([
      { id: far.id, maker: { id: "leaver", displayName: "leaver" } },
    ]);
    expect(await callTokens(server, "RevokeToken", { id: far.id }, root)).toMatchObject({ body: { revoked: 1 } });
  });

  test.each([
    ["an IAM_OWNER", { instance: true }, "IAM_OWNER"],
    ["an IAM_USER_MANAGER", { instance: true }, "IAM_USER_MANAGER"],
    ["a manager of both organizations", { organizationId: "globex" }, "ORG_USER_MANAGER"],
  ])("revokes all of them for %s", async (_, scope, role) => {
    await apply(server, root, entry("cid", scope, role));
    await apply(server, manager, removal);
    expect(await statuses(leaver, near, far)).toEqual([401, 401, 401]);
  });

  test("spares them for an IAM_LOGIN_CLIENT, who removes no one elsewhere", async () => {
    await apply(server, root, entry("cid", { instance: true }, "IAM_LOGIN_CLIENT"));
    await apply(server, manager, removal);
    expect(await statuses(leaver, near, far)).toEqual([401, 401, 200]);
  });

  test("revokes all of them for the command line", async () => {
    await server.database.import(removal);
    expect(await statuses(leaver, near, far)).toEqual([401, 401, 401]);
  });

  test("looks at where users are before the request, which may move them", async () => {
    const manages = (organizationId: string) => entry("ann", { organizationId }, "ORG_USER_MANAGER");
    await apply(server, root, manages("initech"), manages("globex"));
    const both = await server.database.token("ann");
    await apply(server, both, removal, user("bob", "initech"));
    expect(await statuses(near, far)).toEqual([401, 401]);
  });
});

describe("Removing an organization", () => {
  test("spares tokens of users elsewhere, too", async () => {
    await apply(server, root, entry("bea", { organizationId: "initech" }, "ORG_OWNER"));
    const owner = await server.database.token("bea");
    expect(await dryRun(owner, remove({ organizationId: "initech" }))).toMatchObject({ tokensMayStay: true });
    await apply(server, owner, remove({ organizationId: "initech" }));
    expect(await statuses(leaver, near, far)).toEqual([401, 401, 200]);
  });

  test("revokes them for an IAM_OWNER", async () => {
    expect(await dryRun(root, remove({ organizationId: "initech" }))).toMatchObject({ tokensMayStay: false });
    await apply(server, root, remove({ organizationId: "initech" }));
    expect(await statuses(leaver, near, far)).toEqual([401, 401, 401]);
  });
});

describe("A dry run", () => {
  test("says that tokens may stay, in the same words whether or not there are any", async () => {
    const one = await dryRun(manager, removal);
    expect(one).toMatchObject({ tokensMayStay: true });
    await callTokens(server, "RevokeToken", { id: far.id }, root);
    expect(await dryRun(manager, removal)).toEqual(one);
    const { body } = await applyChanges(server, manager, [removal]);
    expect({ ...body, version: undefined }).toEqual(one);
  });

  test("says no such thing to callers who may remove everyone, nor about changes that remove no one", async () => {
    expect(await dryRun(root, removal)).toMatchObject({ tokensMayStay: false });
    expect(await dryRun(manager, user("leaver", "initech", "L"))).toMatchObject({ tokensMayStay: false });
    expect(await dryRun(root, organization("initech", "I"))).toMatchObject({ tokensMayStay: false });
  });
});

test("A token that stays is revoked with the one above, in whatever order the removal and the revocation come", async () => {
  const deadlocks = await deadlocksIn(server.database);
  for (let round = 0; round < 8; round += 1) {
    const id = `leaver-${round}`;
    await apply(server, root, user(id, "initech"), entry(id, { instance: true }, "IAM_OWNER"));
    const above = await created(server, root);
    const between = await created(server, above.token, { userId: id });
    const below = await created(server, between.token, { userId: "bob" });
    await apply(server, root, remove({ administrator: { userId: id, instance: true } }));
    const [removed, revoked] = await Promise.all([
      applyChanges(server, manager, [remove({ userId: id })]),
      callTokens(server, "RevokeToken", { id: above.id }, root),
    ]);
    expect([removed.status, revoked.status]).toEqual([200, 200]);
    expect(await statuses(above, between, below)).toEqual([401, 401, 401]);
  }
  expect(await deadlocksIn(server.database)).toBe(deadlocks);
});

test("A removal waits for a revocation of the token above, which waits for nothing that the removal has", async () => {
  const deadlocks = await deadlocksIn(server.database);
  await server.database.query(`
    insert into tokens (id, user_id, hash, made_with) values
      ('1', 'root', sha256('1'), null), ('2', 'leaver', sha256('2'), '1'), ('3', 'bob', sha256('3'), '2')`);
  const revocation = await hold(server.database, "select from tokens where id = '1' for update");
  const removing = applyChanges(server, manager, [removal]);
  await revocation.untilWaiting(1);
  await revocation.query("select from tokens where id in ('2', '3') for update");
  await revocation.query("delete from tokens where id in ('1', '2', '3')");
  await revocation.commit();
  expect((await removing).status).toBe(200);
  expect(await deadlocksIn(server.database)).toBe(deadlocks);
});
