import { describe, expect, test } from "vitest";
import { idKinds, listFields, methods, textFields } from "../support/list-requests.ts";
import { type Answer, serveSmallWorld } from "../support/server.ts";
import { expectViolations } from "../support/violations.ts";

const { server, root: token } = await serveSmallWorld();

/** Each character counts as one, though UTF-16 holds it in two units and UTF-8 in four bytes. */
const astral = (length: number) => "😀".repeat(length);
const list = (filters: object[], rest: object = {}) => call({ filters, ...rest });
const ids = (length: number) => Array.from({ length }, (_, index) => `id-${index}`);

describe("the rules of a ListAuthorizationsRequest", () => {
  test("allow 10,000 ids in all filters together and refuse 10,001", async () => {
    const filter = (count: number) => ({
      inUserIds: { ids: Array.from({ length: count }, (_, index) => `u${index}`) },
    });
    const ten = Array<object>(10).fill(filter(1_000));
    expect((await list(ten)).status).toBe(200);
    expectViolations(await list([...ten, filter(1)]), ["filters", "filters.max_ids"]);
    expectViolations(await list([...ten, { anyOf: { filters: [filter(1)] } }]), ["filters", "filters.max_ids"]);
  });

  test.each(idKinds)("let the id of %s have 200 characters and refuse 201", async (kind) => {
    for (const id of ["x".repeat(200), astral(200)]) expect((await list([{ [kind]: { id } }])).status).toBe(200);
    for (const id of ["x".repeat(201), astral(201), `${astral(200)}x`]) {
      expectViolations(await list([{ [kind]: { id } }]), [`filters[0].${kind}.id`, "string.max_len"]);
    }
  });

  test.each(Object.entries(listFields))(
    "let %s have 1000 texts of 1 to 200 characters, all different",
    async (kind, field) => {
      const path = `filters[0].${kind}.${field}`;
      const of = (...texts: string[]) => list([{ [kind]: { [field]: texts } }]);
      const most = [...ids(999), astral(200)];
      expect((await of(...most)).status).toBe(200);
      expectViolations(await of(...most, "one more"), [path, "repeated.max_items"]);
      expectViolations(await of("a", "b", "a"), [path, "repeated.unique"]);
      expectViolations(await of("a", astral(201)), [`${path}[1]`, "string.max_len"]);
      expectViolations(await of("", "a"), [`${path}[0]`, "string.min_len"]);
      expect((await of("a", "A", "a ")).status).toBe(200);
    },
  );

  test.each(Object.entries(textFields))("let %s have a text of up to 200 characters", async (kind, field) => {
    for (const text of [astral(200), "%".repeat(200), "\\".repeat(200), "İ".repeat(200)]) {
      for (const method of methods) expect((await list([{ [kind]: { [field]: text, method } }])).status).toBe(200);
    }
    for (const text of ["x".repeat(201), astral(201)]) {
      const answer = await list([{ [kind]: { [field]: text } }]);
      expectViolations(answer, [`filters[0].${kind}.${field}`, "string.max_len"]);
    }
  });

  test.each(Object.entries(textFields))("ask %s for a text only where a user is meant", async (kind, field) => {
    for (const filter of [{}, { [field]: "" }]) {
      const answer = await list([{ [kind]: filter }]);
      if (!kind.startsWith("user")) expect(answer.status).toBe(200);
      else expectViolations(answer, [`filters[0].${kind}.${field}`, "string.min_len"]);
    }
  });

  test.each(Object.entries(textFields))("refuse %s with a method that is none", async (kind, field) => {
    for (const method of [8, -1, 2_147_483_647]) {
      const answer = await list([{ [kind]: { [field]: "x", method } }]);
      expectViolations(answer, [`filters[0].${kind}.method`, "enum.defined_only"]);
    }
    expect((await list([{ [kind]: { [field]: "x", method: 7 } }])).status).toBe(200);
    const method = "TEXT_FILTER_METHOD_LIKE";
    expectInvalid(await list([{ [kind]: { [field]: "x", method } }]), method);
  });

  test("refuse a state that is unspecified or none", async () => {
    for (const state of [undefined, 0, "STATE_UNSPECIFIED"]) {
      expectViolations(await list([{ state: { state } }]), ["filters[0].state.state", "enum.not_in"]);
    }
    expectViolations(await list([{ state: { state: 3 } }]), ["filters[0].state.state", "enum.defined_only"]);
  });

  test("refuse a sorting column that is none", async () => {
    for (const sortingColumn of [8, -1, 99]) {
      expectViolations(await call({ sortingColumn }), ["sortingColumn", "enum.defined_only"]);
    }
  });

  test("refuse a filter without a kind: it would match everything", async () => {
    expectViolations(await list([{}]), ["filters[0].filter", "required"]);
    expectViolations(await list([{ userId: { id: "ann" } }, { state: null }]), ["filters[1].filter", "required"]);
    expectInvalid(await list([null as unknown as object]), "filters");
  });

  test("refuse a filter of two kinds, one of which would be ignored", async () => {
    expectInvalid(await list([{ userId: { id: "ann" }, state: { state: 1 } }]), "state");
    expectInvalid(await call('{"filters":[{"userId":{"id":"ann"},"userId":{"id":"bob"}}]}'), "userId");
    expectInvalid(await call('{"filters":[{"userId":{"id":"ann"}}],"filters":[]}'), "filters");
  });

  test("are all reported at once, in the names of the JSON, with the detail as protovalidate makes it", async () => {
    const answer = await list(
      [
        { userPreferredLoginName: { loginName: "", method: 99 } },
        { userDisplayName: { displayName: astral(201) } },
        {},
        { state: {} },
        { authorizationIds: { ids: ["a", "a", ""] } },
        { projectGrantId: { id: "a\0b" } },
      ],
      { sortingColumn: 55 },
    );
    expectViolations(
      answer,
      ["sortingColumn", "enum.defined_only"],
      ["filters[0].userPreferredLoginName.loginName", "string.min_len"],
      ["filters[0].userPreferredLoginName.method", "enum.defined_only"],
      ["filters[1].userDisplayName.displayName", "string.max_len"],
      ["filters[2].filter", "required"],
      ["filters[3].state.state", "enum.not_in"],
      ["filters[4].authorizationIds.ids", "repeated.unique"],
      ["filters[4].authorizationIds.ids[2]", "string.min_len"],
      ["filters[5].projectGrantId.id", "string.storable"],
    );
    const [, loginName] = answer.body.details[0].debug.violations;
    expect(loginName.field.elements).toEqual([
      { fieldNumber: 3, fieldName: "filters", fieldType: "TYPE_MESSAGE", index: "0" },
      { fieldNumber: 6, fieldName: "user_preferred_login_name", fieldType: "TYPE_MESSAGE" },
      { fieldNumber: 1, fieldName: "login_name", fieldType: "TYPE_STRING" },
    ]);
    expect(answer.body.message).not.toMatch(/[a-z]_[a-z]/);
  });
});

function call(request: object | string): Promise<Answer> {
  return server.call("ListAuthorizations", request, { token });
}

function expectInvalid({ status, body }: Answer, named: string): void {
  expect([status, body.code]).toEqual([400, "invalid_argument"]);
  expect(body.message).toContain(named);
}
