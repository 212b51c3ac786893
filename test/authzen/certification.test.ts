// The Core levels and Discovery of certification/authorization-api-1_0-scenario.md in github.com/openid/authzen, with its
// fixture. Each test is named after the sections it covers.

import { describe, expect, test } from "vitest";
import { askAuthzen } from "../support/authzen.ts";
import { organization, project } from "../support/changes.ts";
import { type Answer, serveTests } from "../support/server.ts";
import { authorization, role, user } from "../support/world.ts";

const publicUrl = "https://pdp.example.com";
const server = await serveTests({ smallWorld: true, authzenResourceType: "record", publicUrl });
const date = "2024-01-01T00:00:00Z";
await server.database.load(
  organization("records"),
  ...["alice", "bob-of-records", "reader"].map((id) => user(id, "records")),
  ...["record-1", "record-2"].flatMap((id) => [
    project(id, "records"),
    ...["read", "write", "delete"].map((key) => role(id, key)),
  ]),
  { administrator: { userId: "reader", organizationId: "records", roles: ["ORG_OWNER_VIEWER"] } },
  authorization("of-alice", "alice", "record-1", "records", ["read", "write"], date),
  authorization("of-bob", "bob", "record-1", "records", ["read"], date),
);
const token = await server.database.token("reader");

const ask = (path: string, request: object | string, headers?: Record<string, string>) =>
  askAuthzen(server, path, request, { token, ...(headers && { headers }) });

const alice = { type: "user", id: "alice" };
const bob = { type: "user", id: "bob" };
const read = { name: "read" };
const write = { name: "write" };
const record1 = { type: "record", id: "record-1" };
const record2 = { type: "record", id: "record-2" };
const context = { time: "2025-06-27T18:03-07:00", ip: "192.168.1.1" };
const fixture = { subject: alice, action: read, resource: record1 };

function expectAnswer({ status, headers, body }: Answer, expected: unknown): void {
  const answer = { status, type: headers.get("content-type"), body };
  expect(answer).toEqual({ status: 200, type: "application/json", body: expected });
}

/** Fails unless these are the results, on the last page. */
async function expectFound(path: string, request: object, results: object[]): Promise<void> {
  expectAnswer(await ask(path, request), { page: { next_token: "" }, results });
}

/** A copy without a member, given as `subject` or `subject.id`. */
function without(request: Record<string, any>, path: string): object {
  const [entity = "", name] = path.split(".");
  const { [entity]: whole, ...rest } = structuredClone(request);
  if (name !== undefined) delete whole[name];
  return name === undefined ? rest : { ...rest, [entity]: whole };
}

describe("Basic Core", () => {
  test.each([
    ["c-2-2-1, rule 1", alice, read, true],
    ["rule 2", alice, write, true],
    ["rule 3", bob, read, true],
    ["c-2-2-2, rule 4", bob, write, false],
  ])("decides as the fixture says: %s", async (_, subject, action, decision) => {
    expectAnswer(await ask("evaluation", { subject, action, resource: record1 }), { decision });
  });

  test("takes a context, more properties and unknown members: c-2-2-3, c-2-2-8, c-2-2-9", async () => {
    const properties = { department: "Sales", role: "manager" };
    for (const request of [
      { ...fixture, context },
      { ...fixture, subject: { ...alice, properties }, action: { ...read, properties: { method: "GET" } } },
      { ...fixture, resource: { ...record1, properties: { status: "active", owner: "bob" } } },
      { ...fixture, foo: "bar", futureField: { nested: true }, subject: { ...alice, unknown: 1 } },
    ]) {
      expectAnswer(await ask("evaluation", request), { decision: true });
    }
  });

  test.each([
    "subject",
    "action",
    "resource",
    "subject.type",
    "subject.id",
    "action.name",
    "resource.type",
    "resource.id",
  ])("answers 400 without %s: c-2-4-1, c-2-4-2", async (path) => {
    expect((await ask("evaluation", without(fixture, path))).status).toBe(400);
  });

  test.each([
    ["another content type: c-2-4-3", JSON.stringify(fixture), { "content-type": "text/plain" }],
    ["XML: c-2-4-3", JSON.stringify(fixture), { "content-type": "application/xml" }],
    ["malformed JSON: c-2-4-4", '{"subject":', {}],
    ["an empty body: c-2-4-5", "", {}],
    ["a subject that is a text: c-2-4-6", JSON.stringify({ ...fixture, subject: "alice" }), {}],
    ["an action whose name is a number: c-2-4-6", JSON.stringify({ ...fixture, action: { name: 123 } }), {}],
  ])("answers 400 to %s", async (_, body, headers) => {
    const answer = await ask("evaluation", body, headers);
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_argument" } });
  });

  test("sends X-Request-ID back, and needs none: c-2-5-1, c-2-5-2", async () => {
    const id = "bfe9eb29-ab87-4ca3-be83-a1d5d8305716";
    expect((await ask("evaluation", fixture, { "x-request-id": id })).headers.get("x-request-id")).toBe(id);
    expect((await ask("evaluation", fixture)).headers.get("x-request-id")).toMatch(/./);
  });

  test("decides alike each time: c-2-6", async () => {
    for (let times = 0; times < 5; times += 1) expectAnswer(await ask("evaluation", fixture), { decision: true });
  });
});

describe("Batch Core", () => {
  test("decides each evaluation in its order, with defaults: c-3-2-1, c-3-2-2, c-3-2-5, c-3-2-6, c-3-3", async () => {
    const evaluations = [{ resource: record1 }, { resource: record2, context: { source: "batch-override" } }];
    const decided = { evaluations: [{ decision: true }, { decision: false }] };
    expectAnswer(await ask("evaluations", { subject: alice, action: read, context, evaluations }), decided);
    const actions = [{ action: read }, { action: write }];
    expectAnswer(await ask("evaluations", { subject: bob, resource: record1, evaluations: actions }), decided);
    const whole = [fixture, { subject: bob, action: write, resource: record1 }];
    expectAnswer(await ask("evaluations", { evaluations: whole }), decided);
  });

  test("denies an evaluation that lacks a member, and decides the others: c-3-4-1", async () => {
    const options = { evaluations_semantic: "execute_all" };
    const evaluations = [{ resource: record1 }, {}];
    const answer = await ask("evaluations", { subject: alice, action: read, options, evaluations });
    const error = { status: 400, message: "resource: is missing" };
    expectAnswer(answer, { evaluations: [{ decision: true }, { decision: false, context: { error } }] });
  });

  test("answers like a single evaluation without evaluations, or with none: c-3-4-2, c-3-4-3", async () => {
    expectAnswer(await ask("evaluations", fixture), { decision: true });
    expectAnswer(await ask("evaluations", { ...fixture, evaluations: [] }), { decision: true });
    expect((await ask("evaluations", without(fixture, "resource"))).status).toBe(400);
  });
});

describe("Search Core", () => {
  const searches = {
    "search/subject": { subject: { type: "user" }, action: read, resource: record1 },
    "search/resource": { subject: alice, action: read, resource: { type: "record" } },
    "search/action": { subject: alice, resource: record1 },
  };
  const results = {
    "search/subject": [alice, bob],
    "search/resource": [{ ...record1, properties: { organization_id: "records" } }],
    "search/action": [read, write],
  };
  const cases = Object.entries(results) as [keyof typeof searches, object[]][];

  test.each(cases)(
    "%s finds what the fixture says, with a context or without: c-4-2-1, c-4-2-2, c-4-3-1, c-4-3-2, c-4-4-1, c-4-4-2",
    async (path, found) => {
      await expectFound(path, searches[path], found);
      await expectFound(path, { ...searches[path], context }, found);
    },
  );

  test("ignores the id of what is searched: c-4-2-3, c-4-3-3", async () => {
    const [subjects, resources] = ["search/subject", "search/resource"] as const;
    await expectFound(subjects, { ...searches[subjects], subject: alice }, results[subjects]);
    await expectFound(resources, { ...searches[resources], resource: record2 }, results[resources]);
  });

  test("has pages: c-4-5-1, c-4-5-2, c-4-5-3", async () => {
    const search = searches["search/subject"];
    const first = await ask("search/subject", { ...search, page: { limit: 1 } });
    const token = first.body.page.next_token;
    expectAnswer(first, { page: { next_token: expect.stringMatching(/./) }, results: [alice] });
    await expectFound("search/subject", { ...search, page: { token } }, [bob]);
  });

  test.each([
    ["search/subject", { ...searches["search/subject"], resource: { type: "record", id: "nonexistent" } }],
    ["search/subject", { ...searches["search/subject"], subject: { type: "spaceship" } }],
    ["search/subject", { ...searches["search/subject"], resource: { type: "spaceship", id: "record-1" } }],
    ["search/resource", { ...searches["search/resource"], subject: { type: "user", id: "nonexistent" } }],
    ["search/resource", { ...searches["search/resource"], resource: { type: "spaceship" } }],
    ["search/action", { ...searches["search/action"], subject: { type: "user", id: "nonexistent-user" } }],
    ["search/action", { ...searches["search/action"], subject: { type: "spaceship", id: "alice" } }],
  ])("%s finds nothing unknown: c-4-6-1, c-4-6-2", async (path, request) => {
    await expectFound(path, request, []);
  });

  test.each<[keyof typeof searches, string]>([
    ["search/subject", "action"],
    ["search/resource", "subject"],
    ["search/action", "resource"],
    ["search/subject", "subject.type"],
    ["search/subject", "resource.id"],
    ["search/resource", "subject.id"],
    ["search/resource", "resource.type"],
    ["search/action", "subject.id"],
    ["search/action", "resource.id"],
  ])("%s answers 400 without %s: c-4-7-1, c-4-7-2", async (path, missing) => {
    expect((await ask(path, without(searches[path], missing))).status).toBe(400);
  });
});

test("Discovery: the metadata names what is served: c-6-1, c-6-2, c-6-3, c-6-4, c-6-5", async () => {
  const response = await fetch(`${server.url}/.well-known/authzen-configuration`);
  expect(response.headers.get("content-type")).toBe("application/json");
  expect({ status: response.status, body: await response.json() }).toEqual({
    status: 200,
    body: {
      policy_decision_point: publicUrl,
      access_evaluation_endpoint: `${publicUrl}/access/v1/evaluation`,
      access_evaluations_endpoint: `${publicUrl}/access/v1/evaluations`,
      search_subject_endpoint: `${publicUrl}/access/v1/search/subject`,
      search_resource_endpoint: `${publicUrl}/access/v1/search/resource`,
      search_action_endpoint: `${publicUrl}/access/v1/search/action`,
    },
  });
});
