import { describe, expect, test } from "vitest";
import { type AdministratorEntry, administrator } from "../support/assign.ts";
import { expectError } from "../support/connect-errors.ts";
import { denied, expectRefusal } from "../support/refusals.ts";
import { type Answer, serveTests } from "../support/server.ts";
import { authorization, user } from "../support/world.ts";

const tokens: Record<string, string> = {};

const server = await serveTests({ smallWorld: true });
const date = "2024-02-01T00:00:00Z";
await server.database.load(
  user("zoe", "acme"),
  authorization("z1", "zoe", "shop", "acme", ["owner", "seller"], date),
  authorization("z2", "zoe", "shop", "globex", ["auditor", "seller"], date),
);
for (const id of ["root", "ann", "bob", "bea", "nobody"]) tokens[id] = await server.database.token(id);

type Item = { userId: string; projectId: string; organizationId?: string; roleKeys: string[] };

function check(token: string | undefined, ...items: Item[]): Promise<Answer> {
  return server.callService("authorization.v2.CheckService/CheckRoles", { items }, { token: token ?? "" });
}

/** What each item is answered with: the keys with the organization and the authorization, or the reason. */
async function checked(token: string | undefined, ...items: Item[]): Promise<(string[] | string)[]> {
  const { status, body } = await check(token, ...items);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.results.map(({ success, error }: any) =>
    error === undefined
      ? success.held.map((held: any) => `${held.roleKey} ${held.organizationId} ${held.authorizationId}`)
      : error.reason,
  );
}

const all = ["auditor", "keeper", "owner", "seller"];
const of = (userId: string, projectId: string, organizationId?: string): Item => ({
  userId,
  projectId,
  roleKeys: all,
  ...(organizationId !== undefined && { organizationId }),
});

describe("CheckRoles answers", () => {
  test("for each item, in their order, which of the asked roles the user holds", async () => {
    const items = [
      { userId: "ann", projectId: "shop", organizationId: "acme", roleKeys: ["seller", "auditor", "owner"] },
      { userId: "ann", projectId: "shop", organizationId: "acme", roleKeys: ["auditor"] },
      { userId: "ann", projectId: "shop", organizationId: "acme", roleKeys: ["seller", "seller"] },
      { userId: "adam", projectId: "depot", organizationId: "acme", roleKeys: ["keeper"] },
    ];
    expect(await checked(tokens.root, ...items)).toEqual([
      ["owner acme a1", "seller acme a1"],
      [],
      ["seller acme a1"],
      [],
    ]);
  });

  test("without an organization for all of them, sorted by key and then by organization", async () => {
    const roles = ["auditor globex z2", "owner acme z1", "seller acme z1", "seller globex z2"];
    expect(await checked(tokens.root, of("zoe", "shop"))).toEqual([roles]);
  });

  test("no roles of an inactive assignment", async () => {
    expect(await checked(tokens.bea, of("bea", "shop", "globex"))).toEqual([[]]);
  });

  test("that what doesn't exist is not held", async () => {
    const items = [of("nothing", "shop", "acme"), of("ann", "nothing", "acme"), of("ann", "shop", "nothing")];
    expect(await checked(tokens.root, ...items)).toEqual([[], [], []]);
  });

  test("nothing for no items", async () => {
    expect(await checked(tokens.nobody)).toEqual([]);
  });

  test("all items as of one moment", async () => {
    const flip = "update authorizations set state = $1 where id = any('{a2,a4}')";
    const items = Array.from({ length: 200 }, (_, n) =>
      n % 2 ? of("adam", "shop", "acme") : of("bob", "shop", "globex"),
    );
    let isFlipping = true;
    const flipping = (async () => {
      for (let n = 0; isFlipping; n += 1) await server.database.query(flip, [n % 2 ? "active" : "inactive"]);
      await server.database.query(flip, ["active"]);
    })();
    const seen = new Set<number>();
    for (let times = 0; times < 30; times += 1) {
      const answers = await checked(tokens.root, ...items);
      seen.add(answers.filter((held) => held.length > 0).length);
    }
    isFlipping = false;
    await flipping;
    expect([...seen].sort()).toEqual([0, 200]);
  });
});

describe("Asking about oneself needs no permission", () => {
  test.each(["ann", "bob"])("as %s", async (id) => {
    const [named, any, other] = await checked(tokens[id], of(id, "shop", "globex"), of(id, "shop"), of("adam", "shop"));
    expect(named).toEqual(id === "bob" ? ["auditor globex a4", "seller globex a4"] : []);
    expect(any).not.toEqual([]);
    expect(other).toBe("PERMISSION_DENIED");
  });
});

describe("Asking about others needs user.grant.read on the project in the organization, whether or not anything is there", () => {
  const places = [
    ["bob", "shop", "acme"],
    ["bob", "shop", "globex"],
    ["nothing", "shop", "globex"],
    ["bob", "shop", "initech"],
    ["adam", "depot", "acme"],
    ["adam", "depot", "globex"],
    ["adam", "nothing", "acme"],
    ["adam", "nothing", "nothing"],
    ["adam", "shop", undefined],
    ["adam", "depot", undefined],
    ["adam", "nothing", undefined],
  ] as const;
  const yes = (...indexes: number[]) => places.map((_, index) => indexes.includes(index));

  test.each<[string, AdministratorEntry | undefined, boolean[]]>([
    ["nothing", undefined, yes()],
    ["the instance", { roles: ["IAM_OWNER_VIEWER"] }, places.map(() => true)],
    ["an organization", { organizationId: "acme", roles: ["ORG_OWNER_VIEWER"] }, yes(0, 4, 6, 8, 9, 10)],
    ["another organization", { organizationId: "globex", roles: ["ORG_OWNER"] }, yes(1, 2, 5, 8, 9, 10)],
    ["a project", { projectId: "shop", roles: ["PROJECT_OWNER_VIEWER"] }, yes(0, 8)],
    ["a grant", { projectGrantId: "shop-to-globex", roles: ["PROJECT_GRANT_OWNER_VIEWER"] }, yes(1, 2, 8)],
  ])("with an entry on %s", async (_, entry, expected) => {
    const items = places.map(([userId, projectId, organizationId]) => of(userId, projectId, organizationId));
    const answers = await checked(await administrator(server.database, entry), ...items);
    expect(answers.map((answer) => answer !== "PERMISSION_DENIED")).toEqual(expected);
  });

  test("and without an organization the places where the caller holds it are answered", async () => {
    const globex = { organizationId: "globex", roles: ["ORG_OWNER_VIEWER"] };
    const token = await administrator(server.database, globex);
    expect(await checked(token, of("bob", "shop"))).toEqual([["auditor globex a4", "seller globex a4"]]);
  });

  test("and the error of an item is that of a single call", async () => {
    const { body } = await check(tokens.nobody, of("ann", "shop", "acme"), of("nothing", "nothing", "nothing"));
    const { code, reason, metadata } = denied("user.grant.read");
    const error = { code, reason, metadata, message: "you need the permission user.grant.read here" };
    expect(body.results).toEqual([{ error }, { error }]);
  });
});

describe("CheckRoles takes", () => {
  const item = (count: number) => ({
    ...of("ann", "shop"),
    roleKeys: Array.from({ length: count }, (_, n) => `k${n}`),
  });

  test("1,000 items and not one more", async () => {
    const items = Array.from({ length: 1_001 }, () => of("ann", "shop", "acme"));
    expect(await checked(tokens.ann, ...items.slice(1))).toEqual(
      items.slice(1).map(() => ["owner acme a1", "seller acme a1"]),
    );
    expectError(await check(tokens.ann, ...items), 400, "invalid_argument", "items: must have at most 1000 items");
  });

  test("1 to 100 role keys in an item", async () => {
    expect(await checked(tokens.ann, item(1), item(100))).toEqual([[], []]);
    expectError(await check(tokens.ann, item(0)), 400, "invalid_argument", /^items\[0\]\.roleKeys: /);
    expectError(
      await check(tokens.ann, item(101)),
      400,
      "invalid_argument",
      /^items\[0\]\.roleKeys: must have at most 100/,
    );
  });

  test("5,000 role keys in all and not one more", async () => {
    const items = Array.from({ length: 50 }, () => item(100));
    expect(await checked(tokens.ann, ...items)).toEqual(items.map(() => []));
    const metadata = { limit: "5001", maximum: "5000" };
    const tooMany = { status: 400, code: "invalid_argument", reason: "LIMIT_EXCEEDED", metadata };
    expectRefusal(await check(tokens.ann, ...items, item(1)), tooMany);
  });
});

test("Rights and tokens that are taken away don't count in the next request", async () => {
  const entry = { organizationId: "globex", roles: ["ORG_OWNER_VIEWER"] };
  const token = await administrator(server.database, entry);
  const item = of("bob", "shop", "globex");
  for (let times = 0; times < 2; times += 1)
    expect(await checked(token, item)).toEqual([["auditor globex a4", "seller globex a4"]]);
  await server.database.query(
    "delete from administrators where organization_id = 'globex' and roles = '{ORG_OWNER_VIEWER}'",
  );
  expect(await checked(token, item)).toEqual(["PERMISSION_DENIED"]);
  await server.database.query("delete from tokens where user_id <> all ('{root,ann,bob,bea,nobody}')");
  expect((await check(token, item)).status).toBe(401);
});

test("Results of more than 4 MiB are refused with the first item beyond", async () => {
  const more = `
    insert into organizations select 'many-' || n || repeat('x', 180), 'M' from generate_series(1, 60) n;
    insert into project_grants (id, project_id, organization_id, owner_id)
    select 'to-' || id, 'shop', id, 'acme' from organizations where id like 'many-%';
    insert into project_grant_roles select 'to-' || id, 'shop', 'seller' from organizations where id like 'many-%'`;
  await server.database.query(more);
  const rows = await server.database.query("select id from organizations where id like 'many-%' order by id");
  const date = "2024-01-01T00:00:00Z";
  await server.database.load(
    ...rows.map(({ id }: any, n: number) => authorization(`in-many-${n}`, "cid", "shop", id, ["seller"], date)),
  );
  const items = Array.from({ length: 1_000 }, () => of("cid", "shop"));
  const answer = await check(tokens.root, ...items);
  expect(answer).toMatchObject({ status: 429, body: { code: "resource_exhausted" } });
  const { reason, metadata } = answer.body.details[0].debug;
  expect(reason).toBe("OUTCOMES_TOO_LARGE");
  expect(await checked(tokens.root, ...items.slice(0, Number(metadata.index)))).toHaveLength(Number(metadata.index));
  expect((await check(tokens.root, ...items.slice(0, Number(metadata.index) + 1))).status).toBe(429);
});
