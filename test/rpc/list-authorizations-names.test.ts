import { beforeAll, describe, expect, test } from "vitest";
import { bodyOf, serveTests } from "../support/server.ts";
import { authorization, user } from "../support/world.ts";

/**
 * In the order of code points once their case is folded, which is neither that of a dictionary nor that of their bytes in
 * capitals (_ comes before Z, but behind z's capital). The ones of a group are told apart by nothing but their case.
 */
const groups = [
  ["\u0001"],
  ["!"],
  ['"\\'],
  ["10"],
  ["9"],
  ["_"],
  ["A", "a"],
  ["b c"],
  ["BC", "Bc", "bc"],
  ["Z"],
  ["~"],
  ["ß"],
  ["Ä", "ä"],
  ["É"],
  ["Ω", "ω"],
  ["ﬀ"],
  ["～"],
  ["𐀀"],
  ["😀"],
];
const names = groups.flat();

/** Each name is that of a user, a project and an organization; ids run the other way round. */
const idOf = (index: number) => String(100 - index);
const world = [
  { organization: { id: "home", name: "home" } },
  user("root", "home"),
  { administrator: { userId: "root", instance: true, roles: ["IAM_OWNER"] } },
  ...names.flatMap((name, index) => {
    const id = idOf(index);
    return [
      { organization: { id, name } },
      user(id, id, name),
      { project: { id, organizationId: id, name } },
      authorization(id, id, id, id, [], "2024-01-01T00:00:00Z"),
    ];
  }),
];
/** Ties are broken by id. */
const ascending = groups.flatMap((group) => group.map((name) => idOf(names.indexOf(name))).sort());

const columns = ["USER_DISPLAY_NAME", "PROJECT_NAME", "ORGANIZATION_NAME"];

const server = await serveTests();
await server.database.load(...world);
const token = await server.database.token("root");

async function list(column: string, pagination: object, ...filters: object[]) {
  const request = { sortingColumn: `AUTHORIZATION_FIELD_NAME_${column}`, pagination, filters };
  const body = await bodyOf(server.call("ListAuthorizations", request, { token }));
  const ids: string[] = body.authorizations.map(({ id }: { id: string }) => id);
  return { ids, next: body.pagination.nextPageToken as string };
}

describe.each(columns)("A list sorted by %s", (column) => {
  test("compares names by code point without their case, and breaks ties by id, in both directions", async () => {
    expect((await list(column, { asc: true })).ids).toEqual(ascending);
    expect((await list(column, {})).ids).toEqual(ascending.toReversed());
  });
});

test("Names are in the order of the look-ups, but for ties", async () => {
  const lookUps = [
    ["ListUsers", "users", "displayName"],
    ["ListProjects", "projects", "name"],
    ["ListOrganizations", "organizations", "name"],
  ] as const;
  const ids = { ids: { ids: names.map((_, index) => idOf(index)) } };
  for (const [rpc, things, field] of lookUps) {
    const { body } = await server.callDirectory(rpc, { filters: [ids] }, { token });
    const found: string[] = body[things].map((thing: Record<string, string>) => thing[field]);
    expect(found.map((name) => groups.findIndex((group) => group.includes(name)))).toEqual(
      groups.flatMap((group, index) => group.map(() => index)),
    );
  }
});

describe("When a name changes", () => {
  const rowsOf = (where: string) =>
    server.database.query(
      `select id, xmin::text, ctid::text, user_name from authorizations where ${where} order by id`,
    );
  const project = (id: string, name: string) => ({ project: { id, organizationId: "home", name } });
  const projects = ["k", "l", "m", "n"];
  const people = ["pa", "pb"];

  beforeAll(async () => {
    await server.database.load(
      { organization: { id: "home", name: "in the middle" } },
      ...people.map((id) => user(id, "home", id)),
      ...projects.map((id) => project(id, `Project ${id}`)),
      ...projects.flatMap((id) =>
        people.map((person) => authorization(`${id}-${person}`, person, id, "home", [], "2024-01-01T00:00:00Z")),
      ),
    );
  });

  const of = async (column: string, pagination: object) => {
    const { ids, next } = await list(column, { asc: true, ...pagination }, { organizationId: { id: "home" } });
    return { shown: ids.join(" "), next };
  };

  test("of a project or an organization, no assignment is rewritten, and the next list shows the new order", async () => {
    const before = await rowsOf("organization_id = 'home'");
    await server.database.load(project("n", "before all"), { organization: { id: "home", name: "😀😀" } });
    expect(await rowsOf("organization_id = 'home'")).toEqual(before);
    expect((await of("PROJECT_NAME", {})).shown).toBe("n-pa n-pb k-pa k-pb l-pa l-pb m-pa m-pb");
    expect((await list("ORGANIZATION_NAME", { asc: true })).ids).toEqual([...ascending, ...before.map(({ id }) => id)]);
    await server.database.load(project("n", "Project n"));
  });

  test("of a user, its own assignments follow and no others are rewritten", async () => {
    const others = await rowsOf("user_id <> 'pa'");
    await server.database.load(user("pa", "home", "Ärger"));
    expect(await rowsOf("user_id <> 'pa'")).toEqual(others);
    expect((await rowsOf("user_id = 'pa'")).map((row) => row.user_name)).toEqual(Array(4).fill("ärger"));
    expect((await of("USER_DISPLAY_NAME", {})).shown).toBe("k-pb l-pb m-pb n-pb k-pa l-pa m-pa n-pa");
    await server.database.load(user("pa", "home", "pa"));
  });

  test.each([
    ["that of the page's end to a later one", "l", "Project z", "m-pa m-pb n-pa n-pb l-pa l-pb"],
    ["that of the page's end to an earlier one", "l", "A project", "m-pa m-pb n-pa n-pb"],
    ["one behind the page to an earlier one", "m", "A project", "l-pb n-pa n-pb"],
    ["one before the page to a later one", "k", "Project lz", "l-pb k-pa k-pb m-pa m-pb n-pa n-pb"],
    ["one behind the page to that of the page's end", "n", "PROJECT L", "l-pb n-pa n-pb m-pa m-pb"],
  ])("a page token keeps its position: %s", async (_what, id, name, shown) => {
    const first = await of("PROJECT_NAME", { limit: 3 });
    expect(first.shown).toBe("k-pa k-pb l-pa");
    await server.database.load(project(id, name));
    expect((await of("PROJECT_NAME", { pageToken: first.next })).shown).toBe(shown);
    await server.database.load(project(id, `Project ${id}`));
  });
});

test("The longest ids and names there are can be sorted by and continued behind", async () => {
  // Characters of four bytes without any order, which Postgres can't compress.
  let seed = 1;
  const letters = (count: number) =>
    Array.from({ length: count }, () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return String.fromCodePoint(0x20000 + (seed % 0xa6d0));
    }).join("");
  const long = () => ({ id: letters(150), name: letters(200) });
  const [organization, person, first, second] = [long(), long(), long(), long()];
  await server.database.load(
    { organization },
    { user: { ...user(person.id, organization.id, person.name).user, preferredLoginName: "long" } },
    ...[first, second].map((project) => ({ project: { ...project, organizationId: organization.id } })),
    ...[first, second].map(({ id }) =>
      authorization(letters(150), person.id, id, organization.id, [], "2024-01-01T00:00:00Z"),
    ),
  );
  const request = (column: string, pagination: object) => ({
    sortingColumn: `AUTHORIZATION_FIELD_NAME_${column}`,
    pagination,
    filters: [{ organizationId: { id: organization.id } }],
  });
  for (const column of columns) {
    const whole = await server.call("ListAuthorizations", request(column, {}), { token });
    const page = await server.call("ListAuthorizations", request(column, { limit: 1 }), { token });
    const { nextPageToken: pageToken } = page.body.pagination;
    const rest = await server.call("ListAuthorizations", request(column, { pageToken }), { token });
    expect([...page.body.authorizations, ...rest.body.authorizations]).toEqual(whole.body.authorizations);
  }
});
