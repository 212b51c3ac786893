import { beforeAll, describe, expect, test } from "vitest";
import { appendEvents } from "../support/append-events.ts";
import { organization, project, projectGrant } from "../support/changes.ts";
import { addDirectoryEvents } from "../support/directory-events.ts";
import { bodyOf, serveSmallWorld } from "../support/server.ts";
import { authorization, role } from "../support/world.ts";

// docs/reference/lists-and-filters.md, "Pages": a page ends before it has more than 4 MiB of roles, or texts of events.

const limit = 4 * 1_024 * 1_024;

const { server, root } = await serveSmallWorld();

const call = (rpc: string, request: object) => bodyOf(server.callService(rpc, request, { token: root }));
const listDirectory = (request: object) => call("directory.v1.DirectoryHistoryService/ListDirectoryEvents", request);
const listAssignments = (request: object) =>
  call("authorization.v2.AuthorizationHistoryService/ListAuthorizationEvents", request);

/** All rows of a list by its page tokens, as many as each page has. */
async function follow(
  list: (request: object) => Promise<any>,
  { pagination: part, ...request }: { pagination?: object; [field: string]: unknown },
  limit = 1_000,
): Promise<any[][]> {
  const pages: any[][] = [];
  for (let pageToken = ""; ; ) {
    const asked = { limit, pageToken, asc: true, ...part };
    const { pagination, ...rows } = await list({ ...request, pagination: asked });
    pages.push(...(Object.values(rows) as any[][]));
    pageToken = pagination.nextPageToken;
    if (pageToken === "") return pages;
  }
}

/** Appends an event whose two images have so many bytes together as Postgres writes them. */
async function appendOf(id: string, bytes: number): Promise<void> {
  const image = (displayName: string) => ({ key: id, projectId: "shop", displayName });
  const text = (displayName: string) => `{"key": "${id}", "projectId": "shop", "displayName": "${displayName}"}`;
  const before = "before";
  const after = "a".repeat(bytes - text(before).length - text("").length);
  await addDirectoryEvents(server.database, {
    ...{ kind: "projectRole", id, within: "shop", before: image(before), after: image(after) },
    places: [["project", "shop"]],
  });
}

test("Pages of directory events end at the byte, and following them shows each event once", async () => {
  const sizes = [limit / 2, limit / 2, limit / 2, limit / 2 + 1, limit * 2, 500, 500, limit - 1_000, 500];
  for (const [index, bytes] of sizes.entries()) await appendOf(`event-${index}`, bytes);
  const filters = [{ time: { from: "2000-01-01T00:00:00Z" } }, { kinds: { kinds: ["projectRole"] } }];
  const mine = { filters: [...filters, { projectId: { id: "shop" } }] };
  const pages = await follow(listDirectory, mine);
  const ids = (events: any[]) =>
    events.map(({ after }) => after.projectRole.key).filter((id) => id.startsWith("event"));
  const ofMine = pages.map(ids).filter((page) => page.length > 0);
  expect(ofMine.flat()).toEqual(sizes.map((_, index) => `event-${index}`));
  // The first page also has the roles of the small world.
  expect(ofMine).toEqual([
    ["event-0"],
    ["event-1", "event-2"],
    ["event-3"],
    ["event-4"],
    ["event-5", "event-6", "event-7"],
    ["event-8"],
  ]);
  const { pagination } = await listDirectory({ ...mine, pagination: { asc: true } });
  expect(pagination).toMatchObject({ totalResult: pages.flat().length, appliedLimit: 100 });
  expect(await follow(listDirectory, mine, 2).then((all) => all.flat())).toEqual(pages.flat());
  const newestFirst = await listDirectory(mine);
  expect(ids(newestFirst.events)).toEqual(["event-8", "event-7", "event-6"].slice(0, newestFirst.events.length));
});

test("Many roles end a page of assignment events early, however short they are", async () => {
  const keys = Array.from({ length: 1_000 }, (_, index) => index.toString(36));
  await server.database.load(project("cart", "acme"), ...keys.map((key) => role("cart", key)));
  await server.database.query(
    appendEvents(`
    select 's' || n, 'user.grant.changed', '2024-03-01Z'::timestamptz + n * interval '1 s', null, 'bob', 'cart', 'acme', '',
      array(select key::text from project_roles where project_id = 'cart'), 'active'::authorization_state
    from generate_series(1, 150) n`),
  );
  const pages = await follow(listAssignments, { filters: [{ projectId: { id: "cart" } }] });
  expect(pages.flat()).toHaveLength(150);
  for (const events of pages) expect(JSON.stringify(events).length).toBeLessThan(limit);
  expect(pages.length).toBeGreaterThan(2);
});

test("Pages of assignment events end before their roles, with today's names, get too large", async () => {
  const keys = Array.from({ length: 1_000 }, (_, index) => `key-${String(index).padStart(3, "0")}`);
  await server.database.load(...keys.map((key) => role("depot", key, "😀".repeat(200), "😀".repeat(200))));
  await server.database.query(
    appendEvents(`
    select 'x' || n, 'user.grant.changed', '2024-02-01Z'::timestamptz + n * interval '1 s', null, 'bob', 'depot', 'acme', '',
      case when n = 6 then '{}' else array(select key::text from project_roles where project_id = 'depot' and key like 'key%') end,
      'active'::authorization_state
    from generate_series(1, 6) n`),
  );
  const pages = await follow(listAssignments, { filters: [{ projectId: { id: "depot" } }, { userId: { id: "bob" } }] });
  const ids = pages.map((events) => events.map(({ authorizationId }: any) => authorizationId).join(" "));
  expect(ids).toEqual(["x1 x2", "x3 x4", "x5 x6"]);
  expect(pages[0]?.[0].roles).toHaveLength(1_000);
});

describe("With a thousand roles of 1,600 bytes each", () => {
  const keys = Array.from({ length: 1_000 }, (_, index) => `k${String(index).padStart(3, "0")}`);
  const long = (projectId: string) => keys.map((key) => role(projectId, key, "😀".repeat(200), "😀".repeat(200)));
  const ids = ["big-1", "big-2", "big-3", "big-4", "big-5", "big-6"];

  beforeAll(async () => {
    await server.database.load(
      ...ids.flatMap((id) => [project(id, "acme", id), ...long(id)]),
      project("big-0", "acme", "big-0"),
      project("big-7", "acme", "big-7"),
      ...ids.map((id) => authorization(id, "bob", id, "acme", keys, "2024-01-01T00:00:00Z")),
    );
  });

  const rows = (pages: any[][]) => pages.map((page) => page.map(({ id }) => id));
  const byProject = { sortingColumn: "AUTHORIZATION_FIELD_NAME_PROJECT_NAME", filters: [{ projectIds: { ids } }] };
  const list = (request: object) => call("authorization.v2.AuthorizationService/ListAuthorizations", request);
  const lookUp = (request: object) => call("directory.v1.DirectoryService/ListProjects", request);

  test.each([true, false])(
    "pages of assignments are shorter, and following them shows each row once, asc: %s",
    async (asc) => {
      const pages = await follow(list, { ...byProject, pagination: { asc } });
      const inOrder = asc ? ids : ids.toReversed();
      expect(rows(pages)).toEqual([inOrder.slice(0, 2), inOrder.slice(2, 4), inOrder.slice(4)]);
      expect(pages.flat().every(({ roles }) => roles.length === keys.length)).toBe(true);
    },
  );

  test("the total and the limit stay those of the request, and an offset skips rows", async () => {
    const second = { asc: true, limit: 500, offset: 1 };
    const { pagination, authorizations } = await list({ ...byProject, pagination: second });
    expect(pagination).toMatchObject({ totalResult: ids.length, appliedLimit: 500 });
    expect(rows([authorizations])).toEqual([ids.slice(1, 3)]);
  });

  test("a page of one row always has it", async () => {
    expect(rows(await follow(list, byProject, 1))).toEqual(ids.map((id) => [id]));
  });

  test("a project lists fewer grants if their keys are long, and says how many there are", async () => {
    const long = Array.from({ length: 300 }, (_, index) => `${String(index).padStart(3, "0")}${"佐".repeat(197)}`);
    const organizations = Array.from({ length: 15 }, (_, index) => `org-${String(index).padStart(2, "0")}`);
    await server.database.load(
      project("keys", "acme", "long keys"),
      ...long.map((key) => role("keys", key)),
      ...organizations.flatMap((id) => [organization(id), projectGrant(`keys-to-${id}`, "keys", id, ...long)]),
    );
    const { projects } = await lookUp({ filters: [{ ids: { ids: ["keys"] } }] });
    const [{ grants, totalGrants }] = projects;
    const bytes = Buffer.byteLength(JSON.stringify(long));
    expect(totalGrants).toBe(15);
    expect(grants.map(({ id }: any) => id)).toEqual(
      organizations.slice(0, Math.floor((2 * 1_024 * 1_024) / bytes)).map((id) => `keys-to-${id}`),
    );
    expect(grants.every(({ roleKeys }: any) => roleKeys.length === 300)).toBe(true);
  });

  test("pages of projects are shorter too, also among small ones", async () => {
    const filters = [{ name: { text: "big-", method: "TEXT_FILTER_METHOD_STARTS_WITH" } }];
    const pages = await follow(lookUp, { filters, pagination: { asc: undefined } });
    expect(rows(pages)).toEqual([["big-0", ...ids.slice(0, 2)], ids.slice(2, 4), [...ids.slice(4), "big-7"]]);
  });
});
