import { describe, expect, test } from "vitest";
import { action, askAuthzen, resource, subject } from "../support/authzen.ts";
import { denied, expectRefusal } from "../support/refusals.ts";
import { serveTests } from "../support/server.ts";

const tokens: Record<string, string> = {};

const server = await serveTests({ smallWorld: true });
for (const id of ["root", "ann", "bob", "nobody"]) tokens[id] = await server.database.token(id);

const evaluation = (userId: string, role: string, projectId: string, organizationId?: string) => ({
  ...{ subject: subject(userId), action: action(role), resource: resource(projectId, organizationId) },
});
const ask = (path: string, request: object | string, token = tokens.root) =>
  askAuthzen(server, path, request, { token });

async function decided(request: object, token = tokens.root): Promise<boolean> {
  const { status, body } = await ask("evaluation", request, token);
  expect({ status, body }).toEqual({ status: 200, body: { decision: expect.any(Boolean) } });
  return body.decision;
}

/** The decision of each evaluation, or the status of its error. */
async function decisions(request: object, token = tokens.root): Promise<(boolean | number)[]> {
  const { status, body } = await ask("evaluations", request, token);
  expect({ status, body }).toEqual({ status: 200, body: { evaluations: expect.any(Array) } });
  return body.evaluations.map(({ decision, context }: any) => {
    if (context !== undefined) expect(decision).toBe(false);
    return context?.error.status ?? decision;
  });
}

describe("An evaluation", () => {
  test("is about the organization in the resource's properties, or any", async () => {
    expect(await decided(evaluation("bob", "auditor", "shop"))).toBe(true);
    expect(await decided(evaluation("bob", "auditor", "shop", "globex"))).toBe(true);
    expect(await decided(evaluation("bob", "auditor", "shop", "initech"))).toBe(false);
  });

  test.each([
    ["user", evaluation("nothing", "seller", "shop")],
    ["role", evaluation("ann", "nothing", "shop")],
    ["project", evaluation("ann", "seller", "nothing")],
    ["organization", evaluation("ann", "seller", "shop", "nothing")],
    ["type of subject", { ...evaluation("ann", "seller", "shop"), subject: subject("ann", "group") }],
    ["type of resource", { ...evaluation("ann", "seller", "shop"), resource: resource("shop", "acme", "record") }],
  ])("denies an unknown %s", async (_, request) => {
    expect(await decided(request)).toBe(false);
  });

  test.each(["", "x".repeat(401), "a\0", "\ud800"])("denies %j, which can't be an id", async (id) => {
    expect(await decided(evaluation(id, "seller", "shop"))).toBe(false);
    expect(await decided(evaluation("ann", id, "shop"))).toBe(false);
    expect(await decided(evaluation("ann", "seller", id))).toBe(false);
    expect(await decided(evaluation("ann", "seller", "shop", id))).toBe(false);
  });

  test("about oneself needs no permission, and about others it is 403, whether or not anything is there", async () => {
    expect(await decided(evaluation("bob", "seller", "shop"), tokens.bob)).toBe(true);
    expect(await decided(evaluation("bob", "seller", "depot"), tokens.bob)).toBe(false);
    for (const request of [
      evaluation("ann", "seller", "shop"),
      evaluation("nothing", "nothing", "nothing"),
      evaluation("nothing", "nothing", "nothing", "nothing"),
    ]) {
      expectRefusal(await ask("evaluation", request, tokens.bob), denied("user.grant.read"));
    }
  });

  test.each([
    ["context", { context: [] }],
    ["subject.properties", { subject: { ...subject("ann"), properties: null } }],
    ["action.properties", { action: { ...action("seller"), properties: "none" } }],
    ["resource.properties", { resource: { ...resource("shop"), properties: [] } }],
    ["resource.properties.organization_id", { resource: { ...resource("shop"), properties: { organization_id: 1 } } }],
    ["subject", { subject: [] }],
    ["resource", { resource: null }],
  ])("is 400 if %s has the wrong type", async (path, wrong) => {
    const { status, body } = await ask("evaluation", { ...evaluation("ann", "seller", "shop"), ...wrong });
    expect({ status, body }).toMatchObject({ status: 400, body: { code: "invalid_argument" } });
    expect(body.message).toMatch(new RegExp(`^${path}: must be an? `));
  });

  test.each(["[]", '[{"subject":{}}]', "null", "1", '"text"', "\u{feff}[]"])(
    "is 400 if the body is %s",
    async (body) => {
      expect((await ask("evaluation", body)).status).toBe(400);
      expect((await ask("evaluations", body)).status).toBe(400);
      expect((await ask("search/subject", body)).status).toBe(400);
    },
  );
});

describe("Evaluations", () => {
  const ann = { subject: subject("ann"), action: action("seller"), resource: resource("shop", "acme") };

  test("take what they lack from the defaults, each as a whole", async () => {
    const evaluations = [
      {},
      { action: action("auditor") },
      { subject: subject("adam"), action: action("auditor") },
      // Without the organization of the default.
      { subject: subject("bob"), resource: resource("shop") },
      { subject: subject("bob") },
      { resource: { type: "project" } },
    ];
    expect(await decisions({ ...ann, evaluations })).toEqual([true, false, true, true, false, 400]);
    expect(await decisions({ ...ann, action: action(""), evaluations: [{}] })).toEqual([false]);
  });

  test("that are malformed are denied with 400, and the others are decided", async () => {
    const evaluations = [{ subject: "ann" }, 1, null, [], { context: 1 }, { action: {} }, {}];
    expect(await decisions({ ...ann, evaluations })).toEqual([400, 400, 400, 400, 400, 400, true]);
  });

  test("that the caller may not ask are denied with 403, whether or not anything is there", async () => {
    const evaluations = [{}, { subject: subject("bob") }, { resource: resource("nothing", "nothing") }];
    expect(await decisions({ ...ann, evaluations }, tokens.bob)).toEqual([403, false, 403]);
    const { body } = await ask("evaluations", { ...ann, evaluations }, tokens.nobody);
    expect(new Set(body.evaluations.map((one: object) => JSON.stringify(one))).size).toBe(1);
  });

  test.each([
    ["execute_all", [true, false, true, 403]],
    ["deny_on_first_deny", [true, false]],
    ["permit_on_first_permit", [true]],
  ])("with %s end where it says", async (semantic, expected) => {
    const evaluations = [
      {},
      { action: action("auditor") },
      {},
      { subject: subject("bob"), resource: resource("shop") },
    ];
    const request = { ...ann, evaluations, options: { evaluations_semantic: semantic, unknown: 1 } };
    expect(await decisions(request, tokens.ann)).toEqual(expected);
  });

  test("count an error as a denial", async () => {
    const ofSemantic = (semantic: string) => ({ ...ann, options: { evaluations_semantic: semantic } });
    const evaluations = [{}, { action: {} }, {}];
    expect(await decisions({ ...ofSemantic("deny_on_first_deny"), evaluations })).toEqual([true, 400]);
    const late = [{ action: {} }, { subject: subject("bob") }, {}, {}];
    expect(await decisions({ ...ofSemantic("permit_on_first_permit"), evaluations: late })).toEqual([400, false, true]);
  });

  test.each([
    ["a list that is none", { evaluations: {} }],
    ["options that are none", { options: [] }],
    ["a semantic that is no text", { options: { evaluations_semantic: 1 } }],
    ["an unknown semantic", { options: { evaluations_semantic: "execute_none" } }],
    ["a default of the wrong type", { subject: "ann" }],
    ["a default that is incomplete", { resource: { type: "project" } }],
    ["a context of the wrong type", { context: "now" }],
  ])("are 400 with %s", async (_, wrong) => {
    const answer = await ask("evaluations", { ...ann, evaluations: [{}], ...wrong });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_argument" } });
  });

  test("are up to 1,000", async () => {
    const evaluations = Array.from({ length: 1_001 }, () => ({}));
    expect(await decisions({ ...ann, evaluations: evaluations.slice(1) })).toEqual(
      evaluations.slice(1).map(() => true),
    );
    expect((await ask("evaluations", { ...ann, evaluations })).status).toBe(400);
  });

  test("with a large default cost no more than a small one", async () => {
    const evaluations = Array.from({ length: 1_000 }, () => ({}));
    const large = { ...ann, subject: subject("x".repeat(1_000_000)), evaluations };
    expect(new Set(await decisions(large))).toEqual(new Set([false]));
  });
});
