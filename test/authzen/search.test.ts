import { describe, expect, test } from "vitest";
import { administrator } from "../support/assign.ts";
import { action, askAuthzen, resource, subject } from "../support/authzen.ts";
import { projectGrant } from "../support/changes.ts";
import { bodyOf, serveTests } from "../support/server.ts";
import { authorization, role, user } from "../support/world.ts";

const tokens: Record<string, string> = {};
const limits = { defaultLimit: 3, maximumLimit: 10 };

const server = await serveTests({ smallWorld: true, limits });
const date = "2024-02-01T00:00:00Z";
await server.database.load(
  ...Array.from({ length: 7 }, (_, n) => user(`seller-${n}`, "acme")),
  ...Array.from({ length: 7 }, (_, n) => authorization(`s-${n}`, `seller-${n}`, "shop", "acme", ["seller"], date)),
  // Found once, though in each organization.
  authorization("s-3g", "seller-3", "shop", "globex", ["seller"], date),
  authorization("s-3i", "seller-3", "shop", "initech", ["seller"], date),
  authorization("ann-g", "ann", "shop", "globex", ["auditor", "seller"], date),
);
for (const id of ["root", "ann", "bob", "nobody"]) tokens[id] = await server.database.token(id);

const ask = (search: string, request: object, token = tokens.root) =>
  askAuthzen(server, `search/${search}`, request, { token });

/** All results, following the pages. */
async function found(search: string, request: object, token = tokens.root): Promise<object[]> {
  const results: object[] = [];
  for (let page: { token?: string } = {}; ; ) {
    const body = await bodyOf(ask(search, { ...request, page }, token));
    expect(Object.keys(body)).toEqual(["page", "results"]);
    results.push(...body.results);
    if (body.page.next_token === "") return results;
    page = { token: body.page.next_token };
  }
}

const subjects = { subject: { type: "user" }, action: action("seller"), resource: resource("shop") };
const resources = { subject: subject("ann"), action: action("seller"), resource: { type: "project" } };
const actions = { subject: subject("ann"), resource: resource("shop") };
const named = (ids: string[]) => ids.map((id) => subject(id));
const sellers = Array.from({ length: 7 }, (_, n) => `seller-${n}`);

describe("Subject search finds", () => {
  test("users with the role in force, each once, over all pages", async () => {
    expect(await found("subject", subjects)).toEqual(named(["ann", "bob", ...sellers]));
  });

  test("those of one organization", async () => {
    const request = { ...subjects, resource: resource("shop", "globex") };
    expect(await found("subject", request)).toEqual(named(["ann", "bob", "seller-3"]));
  });

  test("only what the caller may read, without any 403", async () => {
    const token = await administrator(server.database, { organizationId: "initech", roles: ["ORG_OWNER_VIEWER"] });
    expect(await found("subject", subjects, token)).toEqual(named(["bob", "seller-3"]));
    expect(await found("subject", subjects, tokens.ann)).toEqual(named(["ann"]));
    expect(await found("subject", subjects, tokens.nobody)).toEqual([]);
  });
});

describe("Resource search finds", () => {
  test("projects, each with the organization where the user has the role", async () => {
    expect(await found("resource", resources)).toEqual([
      { type: "project", id: "shop", properties: { organization_id: "acme" } },
      { type: "project", id: "shop", properties: { organization_id: "globex" } },
    ]);
  });

  test("those of one organization", async () => {
    const request = { ...resources, resource: { type: "project", properties: { organization_id: "globex" } } };
    expect(await found("resource", request)).toEqual([resource("shop", "globex")]);
  });

  test("only what the caller may read, without any 403", async () => {
    const token = await administrator(server.database, { organizationId: "globex", roles: ["ORG_OWNER_VIEWER"] });
    expect(await found("resource", resources, token)).toEqual([resource("shop", "globex")]);
    expect(await found("resource", resources, tokens.nobody)).toEqual([]);
  });
});

describe("Action search finds", () => {
  test("the keys of roles in force, each once", async () => {
    expect(await found("action", actions)).toEqual(["auditor", "owner", "seller"].map(action));
    expect(await found("action", { ...actions, subject: subject("bea") })).toEqual([]);
  });

  test("those of one organization", async () => {
    const request = { ...actions, resource: resource("shop", "acme") };
    expect(await found("action", request)).toEqual(["owner", "seller"].map(action));
  });

  test("only what the caller may read, without any 403", async () => {
    const token = await administrator(server.database, { organizationId: "globex", roles: ["ORG_OWNER_VIEWER"] });
    expect(await found("action", actions, token)).toEqual(["auditor", "seller"].map(action));
    expect(await found("action", actions, tokens.nobody)).toEqual([]);
  });
});

test("A page of users who have the role in several organizations takes three lists, and the next page continues", async () => {
  const ids = Array.from({ length: 12 }, (_, n) => `several-${n + 10}`);
  await server.database.load(
    role("shop", "several"),
    ...["globex", "initech"].map((id) => projectGrant(`shop-to-${id}`, "shop", id, "seller", "auditor", "several")),
    ...ids.flatMap((id) => [
      user(id, "acme"),
      ...["acme", "globex", "initech"].map((place) =>
        authorization(`${id}-${place}`, id, "shop", place, ["several"], date),
      ),
    ]),
  );
  const request = { ...subjects, action: action("several") };
  const { body } = await ask("subject", { ...request, page: { limit: 10 } });
  expect(body.results).toEqual(named(ids.slice(0, 8)));
  const page = { token: body.page.next_token };
  expect((await ask("subject", { ...request, page })).body.results).toEqual(named(ids.slice(8)));
  expect(await found("subject", request)).toEqual(named(ids));
});

test("A search ignores what it looks for, whatever it is", async () => {
  const id = { wrong: true };
  expect(await found("subject", { ...subjects, subject: { type: "user", id } })).toHaveLength(9);
  expect(await found("resource", { ...resources, resource: { type: "project", id } })).toHaveLength(2);
  for (const action of ["seller", { name: "seller" }, { name: 1 }]) {
    expect(await found("action", { ...actions, action })).toHaveLength(3);
  }
});

test("What a search finds is permitted", async () => {
  const users = await found("subject", subjects);
  const evaluations = users.map((subject) => ({ ...subjects, subject }));
  const { body } = await askAuthzen(server, "evaluations", { evaluations }, { token: tokens.root });
  expect(body.evaluations).toEqual(users.map(() => ({ decision: true })));
});

describe.each([
  ["subject", subjects, { ...subjects, action: action("auditor") }],
  ["resource", { ...resources, subject: subject("seller-3") }, { ...resources, subject: subject("bob") }],
  ["action", actions, { ...actions, resource: resource("shop", "acme") }],
])("A page of the %s search", (search, request, other) => {
  const page = (of: object, page: unknown) => ask(search, { ...of, page });

  test("has at most as many results as its limit; 0 is the default", async () => {
    const [one, all] = [await page(request, { limit: 1 }), await page(request, { limit: 10, unknown: true })];
    expect(one.body.results).toEqual(all.body.results.slice(0, 1));
    expect(all).toMatchObject({ status: 200, body: { page: { next_token: "" } } });
    const [zero, none] = [await page(request, { limit: 0 }), await ask(search, request)];
    expect(zero.body).toEqual(none.body);
    expect(zero.body).toEqual((await page(request, { limit: limits.defaultLimit })).body);
  });

  test("keeps its limit in its token, which is of its question and its limit", async () => {
    const { body } = await page(request, { limit: 1 });
    const token = body.page.next_token;
    const second = await page(request, { token });
    expect(second).toMatchObject({ status: 200, body: { results: [expect.anything()] } });
    expect(second.body.results).not.toEqual(body.results);
    expect((await page(request, { token, limit: 1 })).body).toEqual(second.body);
    expect((await page({ ...request, context: { ignored: 1 } }, { token })).body).toEqual(second.body);
    for (const wrong of [
      await page(request, { token, limit: 2 }),
      await page(request, { token, limit: 0 }),
      await page(other, { token }),
      await page(request, { token: `${token}A` }),
      await page(request, { token: "none" }),
    ]) {
      expect(wrong).toMatchObject({ status: 400 });
      expect(wrong.body.details[0].debug.reason).toBe("PAGE_TOKEN_INVALID");
    }
  });

  test.each([
    [[]],
    ["text"],
    [null],
    [{ limit: "1" }],
    [{ limit: -1 }],
    [{ limit: 1.5 }],
    [{ limit: null }],
    [{ limit: 11 }],
    [{ token: 1 }],
    [{ properties: [] }],
  ])("is 400 with %j", async (wrong) => {
    expect(await page(request, wrong)).toMatchObject({ status: 400, body: { code: "invalid_argument" } });
  });
});
