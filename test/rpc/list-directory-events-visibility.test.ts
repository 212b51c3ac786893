import { describe, expect, test } from "vitest";
import { type AdministratorEntry, administrator } from "../support/assign.ts";
import { addDirectoryEvents } from "../support/directory-events.ts";
import { bodyOf, serveTests } from "../support/server.ts";

const server = await serveTests({ smallWorld: true });
const org = (id: string) => ["organization", id] as const;
const shop = ["project", "shop"] as const;
const grant = ["projectGrant", "shop-to-globex"] as const;
const named = (id: string, ...places: (readonly [string, string])[]) => ({ id, after: { id }, places });
await addDirectoryEvents(
  server.database,
  { kind: "organization", ...named("e-acme", org("acme")) },
  { kind: "user", userId: "u1", ...named("e-moved", org("acme"), org("globex")) },
  { kind: "project", ...named("e-shop", org("acme"), shop) },
  {
    kind: "projectGrant",
    ...named("e-grant", ["grantOwner", "acme"], org("globex"), ["grantedProject", "shop"], grant),
  },
  { kind: "administrator", userId: "u1", ...named("e-of-grant", org("globex"), grant) },
  { kind: "administrator", userId: "bob", ...named("e-of-bob", org("acme")) },
  { kind: "administrator", userId: "u1", ...named("e-of-instance") },
  { kind: "token", userId: "u1", ...named("e-token") },
  { kind: "token", userId: "bob", ...named("e-token-of-bob") },
  { kind: "user", userId: "bob", ...named("e-bob", org("initech")) },
);

/** What a caller is shown, oldest first, with and without its total, which must not count anything else. */
async function seen(token: string, ...filters: object[]): Promise<string[]> {
  const ask = (pagination: object) => {
    const path = "directory.v1.DirectoryHistoryService/ListDirectoryEvents";
    const request = { filters: [...filters, ours], pagination: { asc: true, ...pagination } };
    return bodyOf(server.callService(path, request, { token }));
  };
  const whole = await ask({});
  expect(whole.pagination.totalResult).toBe(whole.events.length);
  expect((await ask({ offset: 1_000 })).pagination.totalResult).toBe(whole.events.length);
  expect((await ask({ skipTotal: true })).events).toEqual(whole.events);
  const ids = await server.database.query<{ id: string }>(
    "select id from unnest($1::bigint[]) with ordinality s (s, n) join directory_events on sequence = s order by n",
    [whole.events.map(({ sequence }: any) => sequence)],
  );
  return ids.map(({ id }) => id);
}

/** Not those from which the world itself came. */
const ours = { actorId: { id: "" } };

async function asHolderOf(entry: AdministratorEntry, ...filters: object[]): Promise<string[]> {
  const found = await seen(await administrator(server.database, entry), ...filters);
  return found.filter((id) => id.startsWith("e-"));
}

const all = [
  ...["e-acme", "e-moved", "e-shop", "e-grant", "e-of-grant", "e-of-bob", "e-of-instance", "e-token"],
  ...["e-token-of-bob", "e-bob"],
];
const ofAcme = ["e-acme", "e-moved", "e-shop", "e-of-bob"];

describe("An event of the directory is seen", () => {
  test.each<[string, AdministratorEntry, string[]]>([
    ["the instance, as an IAM_OWNER", { instance: true, roles: ["IAM_OWNER"] }, all],
    [
      "the instance, but for tokens without directory.write",
      { instance: true, roles: ["IAM_OWNER_VIEWER", "IAM_ORG_MANAGER"] },
      all.filter((id) => !id.startsWith("e-token")),
    ],
    ["an organization it belongs to", { organizationId: "acme", roles: ["ORG_OWNER_VIEWER"] }, ofAcme],
    [
      "the organization that owns a granted project, with project.grant.write",
      { organizationId: "acme", roles: ["ORG_PROJECT_PERMISSION_EDITOR"] },
      ["e-acme", "e-moved", "e-shop", "e-grant", "e-of-bob"],
    ],
    [
      "the granted organization, with the entries on the grant",
      { organizationId: "globex", roles: ["ORG_OWNER"] },
      ["e-moved", "e-grant", "e-of-grant"],
    ],
    ["its project", { projectId: "shop", roles: ["PROJECT_OWNER_VIEWER"] }, ["e-shop"]],
    [
      "its granted project, with project.grant.write",
      { projectId: "shop", roles: ["PROJECT_OWNER"] },
      ["e-shop", "e-grant"],
    ],
    ["its grant", { projectGrantId: "shop-to-globex", roles: ["PROJECT_GRANT_OWNER"] }, ["e-grant", "e-of-grant"]],
    ["another grant: not at all", { projectGrantId: "shop-to-initech", roles: ["PROJECT_GRANT_OWNER"] }, []],
    ["another organization", { organizationId: "initech", roles: ["ORG_OWNER"] }, ["e-bob"]],
  ])("by who holds user.grant.read on %s", async (_what, entry, expected) => {
    expect(await asHolderOf(entry)).toEqual(expected);
  });

  test("by no one through a filter: every filter finds nothing that the caller doesn't see", async () => {
    const entry = { organizationId: "initech", roles: ["ORG_OWNER"] };
    for (const filter of [
      ...["e-acme", "e-token", "e-grant"].map((id) => ({ id: { id } })),
      { userId: { id: "u1" } },
      { organizationId: { id: "acme" } },
      { organizationId: { id: "globex" } },
      { projectId: { id: "shop" } },
      { kinds: { kinds: ["organization", "project", "administrator", "token"] } },
      { time: { to: "2020-01-01T00:00:00Z" } },
    ]) {
      expect(await asHolderOf(entry, filter)).toEqual([]);
    }
    expect(await asHolderOf(entry, { actorId: { id: "" } })).toEqual(["e-bob"]);
    expect(await asHolderOf({ instance: true, roles: ["IAM_OWNER_VIEWER"] }, { kinds: { kinds: ["token"] } })).toEqual(
      [],
    );
    const ofUser = await asHolderOf({ instance: true, roles: ["IAM_OWNER_VIEWER"] }, { userId: { id: "bob" } });
    expect(ofUser).toEqual(["e-of-bob", "e-bob"]);
  });
});

describe("Ids are not inherited: what is older than the last removal is hidden", () => {
  const removed = (kind: string, id: string) =>
    server.database.query(
      `insert into removed_things (kind, id, organization_id, last_event, last_directory_event)
       select $1, $2, 'acme', 0, max(sequence) from directory_events
       on conflict (kind, id) do update set last_directory_event = excluded.last_directory_event`,
      [kind, id],
    );

  test.each([
    ["organization", "umbrella", "organizationId", "ORG_OWNER"],
    ["project", "umbrella-app", "projectId", "PROJECT_OWNER"],
    ["projectGrant", "umbrella-out", "projectGrantId", "PROJECT_GRANT_OWNER"],
  ])("from the administrators of a new %s, but not from other scopes", async (kind, id, scope, role) => {
    const { database } = server;
    await database.load(
      { organization: { id: "umbrella", name: "Umbrella" } },
      { project: { id: "umbrella-app", organizationId: "umbrella", name: "App" } },
      { projectGrant: { id: "umbrella-out", projectId: "umbrella-app", organizationId: "globex", roleKeys: [] } },
    );
    const place = [kind, id] as const;
    const event = (name: string) => ({ kind: "user", id: `e-${name}-${kind}`, after: {}, places: [place] });
    const wider = { ...event("wide"), places: [place, ["organization", "initech"] as const] };
    await addDirectoryEvents(database, event("old"), wider);
    await removed(kind, id);
    await addDirectoryEvents(database, event("new"));
    const entry = { [scope]: id, roles: [role] };
    expect(await asHolderOf(entry)).toEqual([`e-new-${kind}`]);
    if (kind !== "projectGrant") expect(await asHolderOf(entry, { [scope]: { id } })).toEqual([`e-new-${kind}`]);
    expect(await asHolderOf(entry, { id: { id: `e-old-${kind}` } })).toEqual([]);
    const both = await administrator(database, entry);
    await database.query(
      `insert into administrators (user_id, organization_id, roles)
       select user_id, 'initech', '{ORG_OWNER}' from tokens order by creation_date desc limit 1`,
    );
    const found = (await seen(both)).filter((one) => one.endsWith(kind));
    expect(found).toEqual([`e-wide-${kind}`, `e-new-${kind}`]);
    if (kind !== "projectGrant") {
      const inPlace = await seen(both, { [scope]: { id } });
      expect(inPlace.filter((one) => one.endsWith(kind))).toEqual([`e-wide-${kind}`, `e-new-${kind}`]);
    }
    const viewer = await asHolderOf({ instance: true, roles: ["IAM_OWNER_VIEWER"] });
    expect(viewer.filter((one) => one.endsWith(kind))).toEqual([`e-old-${kind}`, `e-wide-${kind}`, `e-new-${kind}`]);
  });
});
