import { describe, expect, test } from "vitest";
import { expectError } from "../support/connect-errors.ts";
import { denied, expectRefusal, refusedItem } from "../support/refusals.ts";
import { type Answer, bodyOf, serveTests } from "../support/server.ts";
import { whileRepeating } from "../support/while-repeating.ts";
import { authorization } from "../support/world.ts";

const tokens: Record<string, string> = {};

const server = await serveTests({ smallWorld: true });
for (const id of ["root", "ann", "nobody"]) tokens[id] = await server.database.token(id);

type Item = { userId: string; projectId: string; organizationId?: string; roleKeys: string[] };

function check(token: string | undefined, ...items: Item[]): Promise<Answer> {
  return server.callService("authorization.v2.CheckService/CheckRoles", { items }, { token: token ?? "" });
}

/** What each item is answered with: the keys with the organization and the authorization, or the reason. */
async function checked(token: string | undefined, ...items: Item[]): Promise<(string[] | string)[]> {
  const body = await bodyOf(check(token, ...items));
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

  test("all items as of one moment", async () => {
    const flip = "update authorizations set state = $1 where id = any('{a2,a4}')";
    const items = Array.from({ length: 200 }, (_, n) =>
      n % 2 ? of("adam", "shop", "acme") : of("bob", "shop", "globex"),
    );
    const seen = new Set<number>();
    const write = (n: number) => server.database.query(flip, [n % 2 ? "active" : "inactive"]);
    await whileRepeating(write, async () => {
      for (let times = 0; times < 30; times += 1) {
        const answers = await checked(tokens.root, ...items);
        seen.add(answers.filter((held) => held.length > 0).length);
      }
    });
    await server.database.query(flip, ["active"]);
    expect([...seen].sort()).toEqual([0, 200]);
  });
});

test("The error of an item is that of a single call, whether or not anything is there", async () => {
  const { body } = await check(tokens.nobody, of("ann", "shop", "acme"), of("nothing", "nothing", "nothing"));
  const refused = refusedItem(denied("user.grant.read"), "you need the permission user.grant.read here");
  expect(body.results).toEqual([refused, refused]);
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
    const tooMany = await check(tokens.ann, item(101));
    expectError(tooMany, 400, "invalid_argument", /^items\[0\]\.roleKeys: must have at most 100/);
  });

  test("5,000 role keys in all and not one more", async () => {
    const items = Array.from({ length: 50 }, () => item(100));
    expect(await checked(tokens.ann, ...items)).toEqual(items.map(() => []));
    const metadata = { limit: "5001", maximum: "5000" };
    const tooMany = { status: 400, code: "invalid_argument", reason: "LIMIT_EXCEEDED", metadata };
    expectRefusal(await check(tokens.ann, ...items, item(1)), tooMany);
  });
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
