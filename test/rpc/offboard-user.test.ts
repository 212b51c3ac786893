import { describe, expect, test } from "vitest";
import { administrator } from "../support/assign.ts";
import { apply, entry, project, remove } from "../support/changes.ts";
import { eventsOf } from "../support/events.ts";
import { hold } from "../support/locks.ts";
import { denied, expectRefusal, precondition } from "../support/refusals.ts";
import { bodyOf, serveSmallWorld } from "../support/server.ts";
import { stored } from "../support/stored.ts";
import { created, statusWith } from "../support/tokens.ts";
import { authorization, user } from "../support/world.ts";

// docs/reference/directory.md, "Off-boarding".

const { server, root } = await serveSmallWorld();
const { database } = server;
/** An owner of Acme. */
const boss = await administrator(database, { organizationId: "acme", roles: ["ORG_OWNER"] });
const suspend = { mode: "MODE_SUSPEND" };
const removal = { mode: "MODE_REMOVE" };
let made = 0;

const entriesOf = (id: string) => [
  entry(id, { organizationId: "acme" }, "ORG_OWNER"),
  entry(id, { projectGrantId: "shop-to-globex" }, "PROJECT_GRANT_OWNER"),
];

/** A new owner of Acme, and of the grant to Globex, with two assignments at Acme, one at Globex, and two tokens. */
async function leaver() {
  made += 1;
  const id = `leaver-${made}`;
  const on = (of: string) => `${id}-${of}`;
  await database.load(
    user(id, "acme"),
    authorization(on("shop"), id, "shop", "acme", ["seller", "owner"], "2024-01-01T00:00:00Z"),
    authorization(on("depot"), id, "depot", "acme", ["keeper"], "2024-01-01T00:00:00Z"),
    authorization(on("globex"), id, "shop", "globex", ["auditor"], "2024-01-01T00:00:00Z"),
    ...entriesOf(id),
  );
  return { id, tokens: [await database.token(id), await database.token(id)] as const };
}

function offboard(userId: string, request: object, token = root) {
  return server.callDirectory("OffboardUser", { userId, ...request }, { token });
}

const offboarded = (...asked: Parameters<typeof offboard>) => bodyOf(offboard(...asked));

/** Project, organization, and how many are taken and kept. */
function placesIn({ places }: any): string[] {
  return places.map(({ project, organization, taken, kept }: any) => {
    return [project.name, organization.name, taken, kept].join(" ");
  });
}

function entriesIn(entries: any[]): string[] {
  return entries.map(({ scope, roles }) => {
    const [[kind, value]] = Object.entries<any>(scope) as [[string, any]];
    return [kind, value.id ?? value, ...roles].join(" ");
  });
}

async function statesOf(userId: string): Promise<string[]> {
  const byId = { pagination: { asc: true }, sortingColumn: "AUTHORIZATION_FIELD_NAME_ID" };
  const request = { filters: [{ inUserIds: { ids: [userId] } }], ...byId };
  const { body } = await server.call("ListAuthorizations", request, { token: root });
  return body.authorizations.map(({ project, organization, state, roles }: any) => {
    return [project.id, organization.id, state.slice(6), ...roles.map(({ key }: any) => key)].join(" ");
  });
}

async function eventsAbout(userId: string) {
  const assignments = await database.query<{ type: string; request_id: string; reason: string }>(
    "select type, request_id, reason from events where user_id = $1 and actor_id is not null order by sequence",
    [userId],
  );
  const directory = await database.query<{ kind: string; request_id: string; reason: string }>(
    "select kind, request_id, reason from directory_events where user_id = $1 and actor_id is not null and after is null order by sequence",
    [userId],
  );
  return { assignments, directory };
}

describe("To suspend a user", () => {
  test("deactivates what is in force, removes entries and revokes tokens, all with one request id and reason", async () => {
    const { id, tokens } = await leaver();
    const answer = await offboarded(id, { ...suspend, reason: "left" });
    expect(placesIn(answer)).toEqual(["Depot Acme 1 0", "Shop Acme 1 0", "Shop Globex 1 0"]);
    expect(entriesIn(answer.administrators)).toEqual([
      "organization acme ORG_OWNER",
      "projectGrant shop-to-globex PROJECT_GRANT_OWNER",
    ]);
    expect(answer).toMatchObject({ keptAdministrators: [], tokens: 2, tokensForOthers: 0 });
    expect(answer.unlisted).toEqual({ authorizations: 0, administrators: 0, tokens: 0 });
    const states = ["depot acme INACTIVE keeper", "shop globex INACTIVE auditor", "shop acme INACTIVE owner seller"];
    expect(await statesOf(id)).toEqual(states);
    for (const token of tokens) expect(await statusWith(server, token)).toBe(401);
    const { assignments, directory } = await eventsAbout(id);
    expect(assignments.map(({ type }) => type)).toEqual(Array(3).fill("user.grant.deactivated"));
    expect(directory.map(({ kind }) => kind).toSorted()).toEqual(["administrator", "administrator", "token", "token"]);
    const requests = [...assignments, ...directory].map(({ request_id, reason }) => `${request_id} ${reason}`);
    expect(new Set(requests)).toEqual(new Set([`${assignments[0]?.request_id} left`]));
  });

  test("is undone by activating and adding the same again", async () => {
    const { id } = await leaver();
    const before = await statesOf(id);
    const { administrators } = await offboarded(id, suspend);
    const items = ["shop", "depot", "globex"].map((of) => ({ id: `${id}-${of}` }));
    const { body } = await server.call("BatchSetState", { items, state: "STATE_ACTIVE" }, { token: root });
    expect(body.results.every(({ success }: any) => success !== undefined)).toBe(true);
    await apply(server, root, ...entriesOf(id));
    expect(await statesOf(id)).toEqual(before);
    const again = await offboarded(id, { ...suspend, dryRun: true });
    expect(again.administrators).toEqual(administrators);
  });

  test("changes nothing that is inactive already, and writes an end that has passed as that", async () => {
    const { id } = await leaver();
    await server.call("DeactivateAuthorization", { id: `${id}-shop` }, { token: root });
    await database.query(
      "update authorizations set expiration_date = '2024-02-01', change_date = '2024-01-02' where id = $1",
      [`${id}-depot`],
    );
    const answer = await offboarded(id, suspend);
    expect(placesIn(answer)).toEqual(["Shop Globex 1 0"]);
    const types = await database.query<{ authorization_id: string; type: string }>(
      "select authorization_id, type from events where user_id = $1 and type <> 'user.grant.added' order by sequence",
      [id],
    );
    expect(types.map(({ authorization_id, type }) => `${authorization_id.slice(id.length + 1)} ${type}`)).toEqual([
      "shop user.grant.deactivated",
      "depot user.grant.expired",
      "globex user.grant.deactivated",
    ]);
  });

  test("takes only what the caller may change, tells what it sees beside that, and counts the rest for who may remove the user", async () => {
    const { id, tokens } = await leaver();
    const answer = await offboarded(id, suspend, boss);
    expect(placesIn(answer)).toEqual(["Depot Acme 1 0", "Shop Acme 1 0"]);
    expect(entriesIn(answer.administrators)).toEqual(["organization acme ORG_OWNER"]);
    expect(answer.keptAdministrators).toEqual([]);
    // Only callers with directory.write revoke tokens of others.
    expect(answer).toMatchObject({ tokens: 0, tokensForOthers: 0 });
    expect(answer.unlisted).toEqual({ authorizations: 1, administrators: 1, tokens: 2 });
    expect(await statesOf(id)).toContain("shop globex ACTIVE auditor");
    expect((await server.call("ListAuthorizations", {}, { token: tokens[0] })).status).toBe(200);

    const viewer = (await leaver()).id;
    const owner = `boss-${made}`;
    await database.load(
      user(owner, "initech"),
      entry(owner, { organizationId: "acme" }, "ORG_OWNER"),
      entry(owner, { organizationId: "globex" }, "ORG_OWNER_VIEWER"),
    );
    const seen = await offboarded(viewer, suspend, await database.token(owner));
    expect(placesIn(seen)).toEqual(["Depot Acme 1 0", "Shop Acme 1 0", "Shop Globex 0 1"]);
    expect(entriesIn(seen.keptAdministrators)).toEqual(["projectGrant shop-to-globex PROJECT_GRANT_OWNER"]);
    expect(seen.unlisted).toEqual({ authorizations: 0, administrators: 0, tokens: 2 });
    expect(await statesOf(viewer)).toContain("shop globex ACTIVE auditor");
  });

  test("tells callers who may not remove the user nothing of what they don't see", async () => {
    const { id } = await leaver();
    const ofShop = await administrator(database, { projectId: "shop", roles: ["PROJECT_OWNER"] });
    const answer = await offboarded(id, suspend, ofShop);
    expect(placesIn(answer)).toEqual(["Shop Acme 1 0"]);
    const nothing = { administrators: [], keptAdministrators: [], tokens: 0, leftWithoutOwner: [], tokensForOthers: 0 };
    expect(answer).toEqual({ places: answer.places, ...nothing });
  });

  test("tells which organizations lose their last ORG_OWNER", async () => {
    const { id } = await leaver();
    await database.load(entry(id, { organizationId: "initech" }, "ORG_OWNER", "ORG_USER_MANAGER"));
    const other = `other-${made}`;
    await database.load(user(other, "acme"), entry(other, { organizationId: "acme" }, "ORG_OWNER"));
    const { leftWithoutOwner } = await offboarded(id, { ...suspend, dryRun: true });
    expect(leftWithoutOwner).toEqual([{ id: "initech", name: "Initech" }]);
  });

  test("revokes one's own tokens without directory.write, and those made with them", async () => {
    const { id, tokens } = await leaver();
    const more = await created(server, tokens[0], { name: "more", lifetime: "60s" });
    expect(await offboarded(id, { ...suspend }, tokens[1])).toMatchObject({ tokens: 3 });
    expect(await statusWith(server, more.token)).toBe(401);
  });

  test("counts tokens for others, which stay, for callers with directory.write, but not those that an earlier user with the same id made", async () => {
    const { id } = await leaver();
    await database.token("bea");
    await database.query("update tokens set maker_id = $1 where user_id = 'bea'", [id]);
    expect(await offboarded(id, { ...suspend, dryRun: true })).toMatchObject({ tokensForOthers: 1 });
    expect(await offboarded(id, { ...suspend, dryRun: true }, boss)).toMatchObject({ tokensForOthers: 0 });
    await database.load(remove({ userId: id }));
    await database.load(user(id, "acme"));
    expect(await offboarded(id, { ...suspend, dryRun: true })).toMatchObject({ tokensForOthers: 0 });
  });

  test("waits for changes that are under way, and tells what came of them", async () => {
    const { id } = await leaver();
    const taking = "delete from authorization_roles where authorization_id = $1 and role_key = 'owner'";
    const held = await hold(database, taking, [`${id}-shop`]);
    await held.query("update authorizations set change_date = now() where id = $1", [`${id}-shop`]);
    await held.holdUp([() => offboarded(id, suspend)]);
    const last = (await eventsOf(database, `${id}-shop`)).at(-1);
    expect(last).toMatchObject({ type: "user.grant.deactivated", role_keys: ["seller"] });
  });

  test("counts what the caller doesn't see in all places", async () => {
    const { id } = await leaver();
    await database.load(user(id, "initech"));
    const boss = await administrator(database, { organizationId: "initech", roles: ["ORG_OWNER"] });
    const { unlisted } = await offboarded(id, { ...suspend, dryRun: true }, boss);
    expect(unlisted).toMatchObject({ authorizations: 3 });
  });

  test("counts what isn't of a grant as well as what is, for a caller with an entry on another project", async () => {
    const { id } = await leaver();
    const onDepot = { projectId: "depot" };
    const owner = `owner-${made}`;
    await database.load(
      user(owner, "initech"),
      user(id, "initech"),
      entry(owner, { organizationId: "initech" }, "ORG_USER_MANAGER"),
      entry(owner, onDepot, "PROJECT_OWNER"),
      entry(owner, { organizationId: "globex" }, "ORG_OWNER_VIEWER"),
    );
    const answer = await offboarded(id, { ...suspend, dryRun: true }, await database.token(owner));
    expect(placesIn(answer)).toEqual(["Depot Acme 1 0", "Shop Globex 0 1"]);
    expect(answer.unlisted).toMatchObject({ authorizations: 1 });
  });

  test("waits for no assignment that the caller may not deactivate", async () => {
    const { id } = await leaver();
    const held = await hold(database, "select from authorizations where id = $1 for update", [`${id}-globex`]);
    const answer = await offboard(id, suspend, boss);
    await held.rollback();
    expect(placesIn(answer.body)).toEqual(["Depot Acme 1 0", "Shop Acme 1 0"]);
  });

  test.each<[string, string, (id: string) => object]>([
    ["create", "CreateAuthorization", (id) => ({ userId: id, projectId: "depot", organizationId: "acme" })],
    ["activate", "ActivateAuthorization", (id) => ({ id: `${id}-depot` })],
  ])("lets the user %s nothing that waits for it", async (what, rpc, request) => {
    const { id, tokens } = await leaver();
    if (what === "create") await database.load(remove({ authorizationId: `${id}-depot` }));
    else await server.call("DeactivateAuthorization", { id: `${id}-depot` }, { token: root });
    // The server remembers the caller with this token, and looks it up with the other one.
    expect((await server.call("ListAuthorizations", {}, { token: tokens[0] })).status).toBe(200);
    const held = await hold(database, "select from tokens where user_id = $1 for update", [id]);
    const suspended = offboarded(id, suspend);
    await held.untilWaiting(1);
    const changed = tokens.map((token) => server.call(rpc, request(id), { token }));
    await held.untilWaiting(3);
    await held.commit();
    await suspended;
    const answers = await Promise.all(changed);
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    expect((await statesOf(id)).filter((state) => !state.includes("INACTIVE"))).toEqual([]);
  });
});

describe("To remove a user", () => {
  test("takes everything, wherever it is, and counts what the caller doesn't see", async () => {
    const { id, tokens } = await leaver();
    const answer = await offboarded(id, { ...removal, reason: "left" }, boss);
    expect(placesIn(answer)).toEqual(["Depot Acme 1 0", "Shop Acme 1 0"]);
    expect(entriesIn(answer.administrators)).toEqual(["organization acme ORG_OWNER"]);
    expect(answer).toMatchObject({ keptAdministrators: [], tokens: 2 });
    expect(answer.unlisted).toEqual({ authorizations: 1, administrators: 1, tokens: 0 });
    expect(await statesOf(id)).toEqual([]);
    expect(await database.query("select from users where id = $1", [id])).toEqual([]);
    expect((await server.call("ListAuthorizations", {}, { token: tokens[0] })).status).toBe(401);
    const { assignments, directory } = await eventsAbout(id);
    expect(assignments.map(({ type }) => type)).toEqual(Array(3).fill("user.grant.cascade.removed"));
    const kinds = ["administrator", "administrator", "token", "token", "user"];
    expect(directory.map(({ kind }) => kind).toSorted()).toEqual(kinds);
    expect(new Set([...assignments, ...directory].map(({ request_id }) => request_id)).size).toBe(1);
  });

  test("needs what ApplyChanges needs", async () => {
    const { id } = await leaver();
    const manager = await administrator(database, { organizationId: "acme", roles: ["ORG_USER_MANAGER"] });
    // The user has an entry on its own organization.
    expectRefusal(await offboard(id, removal, manager), denied("administrator.write"));
    const ofShop = await administrator(database, { projectId: "shop", roles: ["PROJECT_OWNER"] });
    for (const userId of [id, "never-was"])
      expectRefusal(await offboard(userId, removal, ofShop), denied("user.write"));
  });
});

test("A dry run of both answers the same as the call, and changes nothing", async () => {
  const { id } = await leaver();
  for (const mode of [suspend, removal]) {
    const before = await stored(database);
    const answer = await offboarded(id, { ...mode, dryRun: true });
    expect(await stored(database)).toEqual(before);
    expect(await offboarded(id, mode)).toEqual(answer);
    expect(await stored(database)).not.toEqual(before);
  }
});

test("It is refused without user.grant.write, for unknown users, and for the last IAM_OWNER", async () => {
  const viewer = await administrator(database, { instance: true, roles: ["IAM_OWNER_VIEWER"] });
  for (const userId of ["adam", "never-was"]) {
    expectRefusal(await offboard(userId, suspend, viewer), denied("user.grant.write"));
  }
  for (const mode of [suspend, removal]) {
    expectRefusal(await offboard("never-was", mode), precondition("USER_NOT_FOUND"));
    expectRefusal(await offboard("root", mode), precondition("LAST_OWNER"));
    expectRefusal(await offboard("root", { ...mode, dryRun: true }), precondition("LAST_OWNER"));
  }
  for (const request of [{}, { mode: "MODE_UNSPECIFIED" }, { userId: "", ...suspend }]) {
    expect((await offboard("adam", request)).body).toMatchObject({ code: "invalid_argument" });
  }
});

test("More than 1,000 places are added up", async () => {
  const id = "everywhere";
  const numbers = Array.from({ length: 1_002 }, (_, number) => `p${String(number).padStart(4, "0")}`);
  await database.load(
    user(id, "acme"),
    ...numbers.map((id) => project(id, "acme")),
    ...numbers.map((project) => authorization(`of-${project}`, id, project, "acme", [], "2024-01-01T00:00:00Z")),
  );
  const { places } = await offboarded(id, { ...suspend, dryRun: true });
  expect(places).toHaveLength(1_001);
  expect(places[999].project.id).toBe("p0999");
  expect(places[1_000]).toEqual({ taken: 2, kept: 0 });
  await database.load(...numbers.map((projectId) => remove({ projectId })), remove({ userId: id }));
});
