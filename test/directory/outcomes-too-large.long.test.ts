import { expect, test } from "vitest";
import { apply, entry, organization, project, projectGrant, remove } from "../support/changes.ts";
import { hold } from "../support/locks.ts";
import { expectRefusal } from "../support/refusals.ts";
import { serveTests } from "../support/server.ts";
import { role, user } from "../support/world.ts";

// docs/reference/directory.md, "Outcomes".

const limit = 8 * 1_024 * 1_024;
/** About as long as a key can be. */
const key = (index: number) => `${"€".repeat(196)}${String(index).padStart(4, "0")}`;
const keys = Array.from({ length: 1_000 }, (_, index) => key(index));
const grants = Array.from({ length: 15 }, (_, index) => `grant-${index}`);

const server = await serveTests();
const { database } = server;
await database.load(
  organization("acme"),
  user("owner", "acme"),
  entry("owner", { organizationId: "acme" }, "ORG_OWNER"),
  project("shop", "acme"),
  ...keys.map((each) => role("shop", each)),
  ...grants.map((id) => organization(id)),
);
// As many keys in all as leave a little less than a user's picture can fill.
await database.load(
  ...grants.map((id, index) => projectGrant(id, "shop", id, ...(index === 0 ? keys.slice(0, 10) : keys))),
);
const left = limit - (await bytesOf("projectGrant")) - 1_500;
const perKey = Buffer.byteLength(`"${keys[0]}", `);
const more = Math.floor(left / perKey);
expect(more).toBeLessThan(990);
await database.load(projectGrant("grant-0", "shop", "grant-0", ...keys.slice(0, 10 + more)));
const owner = await database.token("owner");

/** What the things of a kind take as they are now. */
async function bytesOf(kind: string, id?: string): Promise<number> {
  const [row] = await server.database.query<{ bytes: number }>(
    `select coalesce(sum(octet_length(after::text)), 0)::integer as bytes from (
       select distinct on (id) after from directory_events where kind = $1 and id = coalesce($2, id)
       order by id, sequence desc) latest`,
    [kind, id],
  );
  return row?.bytes ?? 0;
}

const picture = (length: number) => ({
  user: {
    ...{ id: "filler", organizationId: "acme", preferredLoginName: "f", displayName: "" },
    avatarUrl: `https://x/${"x".repeat(length)}`,
  },
});
const removals = [...grants.map((id) => remove({ projectGrantId: id })), remove({ userId: "filler" })];
const send = (changes: object[], dryRun: boolean) =>
  server.callDirectory("ApplyChanges", { changes, dryRun }, { token: owner });
const tooLarge = (index: number, what: string) => ({
  ...{ status: 429, code: "resource_exhausted", reason: "OUTCOMES_TOO_LARGE" },
  metadata: { index: String(index), what },
});
const what = "the outcomes up to this change would be larger than 8388608 bytes; send fewer changes in a request";

test("Outcomes may take 8 MiB and not one byte more, which is refused before any lock, with the first change beyond", async () => {
  await server.database.load(picture(0));
  const fill = limit - (await bytesOf("projectGrant")) - (await bytesOf("user", "filler"));
  expect(fill).toBeGreaterThan(0);
  await server.database.load(picture(fill + 1));
  const held = await hold(server.database, "select pg_advisory_xact_lock(7206381402113)");
  expectRefusal(await send(removals, true), tooLarge(grants.length, what));
  expectRefusal(await send(removals, false), tooLarge(grants.length, what));
  await held.rollback();
  await server.database.load(picture(fill));
  const dry = await send(removals, true);
  expect([dry.status, dry.body.outcomes?.length]).toEqual([200, removals.length]);
  const real = await send(removals, false);
  expect(real.body.outcomes).toEqual(dry.body.outcomes);
  expect(real.body.outcomes[1].before.projectGrant.roleKeys).toEqual(keys);
});

test("A request with one change is never refused, however large its thing is", async () => {
  // These take six bytes each as JSON.
  const longest = (prefix: string) =>
    Array.from({ length: 1_000 }, (_, index) => `${prefix}${String(index).padStart(3, "0")}`.padEnd(170, "\u0001"));
  const [one, two] = [longest("a"), longest("b")];
  await server.database.load(...[...one, ...two].map((each) => role("shop", each)));
  await server.database.load(organization("large"), projectGrant("large", "shop", "large", ...one));
  const { outcomes } = await apply(server, owner, projectGrant("large", "shop", "large", ...two));
  expect(outcomes).toEqual([
    {
      effect: "EFFECT_CHANGED",
      changedFields: ["roleKeys"],
      before: { projectGrant: expect.objectContaining({ roleKeys: one }) },
      after: { projectGrant: expect.objectContaining({ roleKeys: two }) },
    },
  ]);
});

test("Named assignments count, too", async () => {
  const root = await server.database.token(await newOwner());
  const assignments = Array.from({ length: 15 }, (_, index) => ({
    authorization: { id: `a${index}`, userId: `u${index}`, projectId: "shop", organizationId: "acme", roleKeys: keys },
  }));
  await server.database.load(
    ...assignments.map(({ authorization: { userId } }) => user(userId, "acme")),
    ...assignments,
  );
  // What they were is shown of each, also of those that stay with one role.
  const changes = assignments.map(({ authorization }, index) =>
    index < 6
      ? { authorization: { ...authorization, roleKeys: keys.slice(0, 1) } }
      : remove({ authorizationId: `a${index}` }),
  );
  const ask = (count: number) =>
    server.callDirectory("ApplyChanges", { changes: changes.slice(0, count), dryRun: true }, { token: root });
  expect((await ask(14)).body.outcomes).toHaveLength(14);
  expectRefusal(await ask(15), tooLarge(14, what));
});

async function newOwner(): Promise<string> {
  await server.database.load(user("root", "acme"), entry("root", { instance: true }, "IAM_OWNER"));
  return "root";
}

test("An import has no such limit", async () => {
  const all = Array.from({ length: 15 }, (_, index) => `import-${index}`);
  await server.database.import(
    ...all.map((id) => organization(id)),
    ...all.map((id) => projectGrant(id, "shop", id, ...keys)),
  );
  await server.database.import(...all.map((id) => remove({ projectGrantId: id })));
  expect(await server.database.query("select from project_grants where id like 'import-%'")).toEqual([]);
});

test("Of the places whose assignments follow, 1,000 are named, and the rest are added up", async () => {
  await server.database.query(`
    insert into organizations values ('many', 'Many');
    insert into projects select 'many-' || lpad(n::text, 4, '0'), 'many', 'P' from generate_series(1, 1003) n;
    insert into authorizations (id, user_id, user_organization_id, project_id, organization_id, creation_date, change_date)
    select 'of-' || p.id, 'owner', 'acme', p.id, 'many', now(), now() from projects p where organization_id = 'many'`);
  const root = await server.database.token(await newOwner());
  const ask = async (...changes: object[]) =>
    (await server.callDirectory("ApplyChanges", { changes, dryRun: true }, { token: root })).body.authorizations;
  const place = (index: number) => ({
    projectId: `many-${String(index).padStart(4, "0")}`,
    organizationId: "many",
    changed: 0,
    removed: 1,
  });
  const named = Array.from({ length: 1_000 }, (_, index) => place(index + 1));
  expect(await ask(remove({ organizationId: "many" }))).toEqual([
    ...named,
    { projectId: "", organizationId: "", changed: 0, removed: 3 },
  ]);
  const all = named.map(({ projectId }) => remove({ projectId }));
  expect(await ask(...all)).toEqual(named);
});
