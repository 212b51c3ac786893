import { describe, expect, test } from "vitest";
import { expectError } from "../support/connect-errors.ts";
import { bodyOf, serveSmallWorld } from "../support/server.ts";
import { textPlaces } from "../support/string-fields.ts";

const { server, root: token } = await serveSmallWorld();

const list = (text: string) => server.call("ListAuthorizations", text, { token });
const idsOf = (body: any) => body.authorizations.map(({ id }: { id: string }) => id);

test("The empty message is {}: no filter, first page, default order", async () => {
  const nothing = '{"filters":null,"pagination":null}';
  for (const text of ["{}", " {}\n", "\ufeff{}", nothing, '{"filters":[],"pagination":{},"sortingColumn":0}']) {
    const body = await bodyOf(list(text));
    expect(body.pagination).toEqual({ totalResult: 6, appliedLimit: 100, nextPageToken: "" });
    expect(idsOf(body)).toEqual(["a6", "a5", "a4", "a3", "a2", "a1"]);
  }
});

test("Empty lists, zeros and empty strings are written", async () => {
  const nothing = await list('{"filters":[{"userId":{"id":"nobody"}}]}');
  expect(nothing.body).toEqual({
    pagination: { totalResult: 0, appliedLimit: 100, nextPageToken: "" },
    authorizations: [],
  });
  const { body } = await list('{"filters":[{"authorizationIds":{"ids":["a3"]}}]}');
  expect(body.authorizations[0].roles).toEqual([]);
  expect(body.authorizations[0].user.avatarUrl).toBe("");
});

describe("A body that is no JSON object is invalid_argument", () => {
  test.each([
    "",
    " ",
    "{",
    "{}{}",
    "[]",
    '{"filters":[{"userId":{"id":"a\0b"}}]}',
    "[".repeat(100_000) + "]".repeat(100_000),
  ])("body %#", async (text) => {
    expectError(await list(text), 400, "invalid_argument", /^cannot decode message \S+ListAuthorizationsRequest/);
  });
});

test.each([
  ["ListAuthorizationsRequest.filters", '{"filters":7}'],
  ["IDFilter.id", '{"filters":[{"userId":{"id":7}}]}'],
  ["InIDsFilter.ids", '{"filters":[{"authorizationIds":{"ids":["a1",2]}}]}'],
  ["PaginationRequest.limit", '{"pagination":{"limit":-1}}'],
  ["PaginationRequest.limit", '{"pagination":{"limit":4294967296}}'],
  ["PaginationRequest.offset", '{"pagination":{"offset":"18446744073709551616"}}'],
  ["PaginationRequest.asc", '{"pagination":{"asc":"true"}}'],
  ["PaginationRequest", '{"pagination":[]}'],
  ["InIDsFilter.ids", '{"filters":[{"inUserIds":{"ids":"ann"}}]}'],
])(
  "A value of the wrong type is invalid_argument, and the message names the field or its type: %s (%#)",
  async (name, text) => {
    expectError(await list(text), 400, "invalid_argument", cannotDecode(name));
  },
);

/** @param name the end of what the message names */
function cannotDecode(name: string): RegExp {
  return new RegExp(
    `^cannot decode (?:field|message|enum|oneof) (?:\\S+\\.)?${name.replaceAll(".", "\\.")} from JSON: `,
  );
}

test.each([
  ["AuthorizationFieldName", "CREATED_DATE", '{"sortingColumn":"CREATED_DATE"}'],
  ["State", "ACTIVE", '{"filters":[{"state":{"state":"ACTIVE"}}]}'],
])(
  "An unknown name of an enum is invalid_argument, and the message names the enum and what was sent: %s %j in %s",
  async (name, sent, text) => {
    const answer = await list(text);
    expectError(answer, 400, "invalid_argument", cannotDecode(name));
    expect(answer.body.message).toContain(JSON.stringify(sent));
  },
);

describe("An unknown field is invalid_argument and named, so that a misspelled filter never widens a list", () => {
  test.each([
    ["filter", '{"filter":[{"userId":{"id":"ann"}}]}'],
    ["userID", '{"filters":[{"userID":{"id":"ann"}}]}'],
    ["ids", '{"filters":[{"userId":{"ids":["ann"]}}]}'],
    ["page", '{"pagination":{"page":null}}'],
    ["__proto__", '{"__proto__":{"filters":[]}}'],
  ])("%s in %s", async (field, text) => {
    const answer = await list(text);
    expectError(answer, 400, "invalid_argument", / is unknown$/);
    expect(answer.body.message).toContain(`key ${JSON.stringify(field)} is unknown`);
  });
});

test("Input may be written in lowerCamelCase and in snake_case, with numbers as numbers and as strings", async () => {
  const expected = ["a2", "a3"];
  for (const text of [
    '{"pagination":{"offset":1,"limit":2,"asc":true},"sortingColumn":"AUTHORIZATION_FIELD_NAME_ID"}',
    '{"pagination":{"offset":"1","limit":"2","asc":true},"sorting_column":"AUTHORIZATION_FIELD_NAME_ID"}',
    '{"pagination":{"offset":1.0,"limit":2e0,"asc":true},"sorting_column":3}',
  ]) {
    const { body } = await list(text);
    expect(idsOf(body), text).toEqual(expected);
  }
  const snake =
    '{"filters":[{"in_user_ids":{"ids":["bob"]}},{"user_preferred_login_name":{"login_name":"bob@globex.example"}}]}';
  expect(idsOf((await list(snake)).body)).toEqual(["a6", "a4"]);
});

describe("Bad UTF-8 in JSON is invalid_argument", () => {
  test.each([
    ["a byte that never occurs", [0xff]],
    ["a cut off character", [0xe2, 0x82]],
    ["an encoded surrogate", [0xed, 0xa0, 0x80]],
  ])("%s", async (_, bytes) => {
    const body = Buffer.concat([
      Buffer.from('{"filters":[{"userId":{"id":"'),
      Buffer.from(bytes),
      Buffer.from('"}}]}'),
    ]);
    expectError(await server.call("ListAuthorizations", body, { token }), 400, "invalid_argument", /utf-8/);
  });
});

describe("A NUL character or a lone surrogate is invalid_argument and its field named", () => {
  const escaped = (request: object, text: string) => JSON.stringify(request).replaceAll("TEXT", text);

  test.each(textPlaces)("$rpc $field", async ({ rpc, field, request }) => {
    for (const text of ["\\u0000", "a\\u0000b"]) {
      const answer = await server.call(rpc, escaped(request("TEXT"), text), { token });
      expectError(answer, 400, "invalid_argument");
      expect(answer.body.message.startsWith(`${field}: `), answer.body.message).toBe(true);
    }
    const name = snakeCase(
      field
        .replace(/\[\d+\]$/, "")
        .split(".")
        .at(-1) ?? "",
    );
    for (const text of ["\\ud800", "a\\udc00b", "\\udc00\\ud800"]) {
      const answer = await server.call(rpc, escaped(request("TEXT"), text), { token });
      expectError(answer, 400, "invalid_argument", cannotDecode(name));
    }
  });
});

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
