import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../support/connect-errors.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { textPlaces } from "../support/string-fields.ts";

let server: TestServer;
let token: string;

beforeAll(async () => {
  server = await startTestServer({ smallWorld: true });
  token = await server.database.token("root");
});
afterAll(() => server.stop());

const list = (text: string) => server.call("ListAuthorizations", text, { token });
const idsOf = (body: any) => body.authorizations.map(({ id }: { id: string }) => id);

describe("The empty message", () => {
  test("is {}: no filter, first page, default order", async () => {
    for (const text of ["{}", " {}\n", "\ufeff{}"]) {
      const { status, body } = await list(text);
      expect(status).toBe(200);
      expect(body.pagination).toEqual({ totalResult: 6, appliedLimit: 100, nextPageToken: "" });
      expect(idsOf(body)).toEqual(["a6", "a5", "a4", "a3", "a2", "a1"]);
    }
  });

  test("is also what nulls for all fields say, as the protobuf mapping has it", async () => {
    const { body } = await list('{"pagination":null,"sortingColumn":null,"filters":null}');
    expect(idsOf(body)).toHaveLength(6);
  });
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
    "}",
    "{}{}",
    "{} x",
    "[]",
    "null",
    "true",
    "7",
    '"x"',
    "undefined",
    "{'filters':[]}",
    '{"filters":[],}',
    '{"filters":[NaN]}',
    '{"filters":[{"userId":{"id":"a\0b"}}]}',
    "[".repeat(100_000) + "]".repeat(100_000),
    '{"a":'.repeat(100_000),
  ])("body %#", async (text) => {
    expectError(await list(text), 400, "invalid_argument", /^cannot decode message \S+ListAuthorizationsRequest/);
  });
});

describe("A value of the wrong type is invalid_argument, and the message names the field or its type", () => {
  test.each([
    ["ListAuthorizationsRequest.filters", '{"filters":7}'],
    ["ListAuthorizationsRequest.filters", '{"filters":{}}'],
    ["ListAuthorizationsRequest.filters", '{"filters":[null]}'],
    ["AuthorizationsSearchFilter", '{"filters":[{"userId":{"id":"ann"}},[]]}'],
    ["IDFilter", '{"filters":[{"userId":"ann"}]}'],
    ["IDFilter.id", '{"filters":[{"userId":{"id":7}}]}'],
    ["IDFilter.id", `{"filters":[{"userId":{"id":${"[".repeat(50_000)}${"]".repeat(50_000)}}}]}`],
    ["InIDsFilter.ids", '{"filters":[{"authorizationIds":{"ids":"a1"}}]}'],
    ["InIDsFilter.ids", '{"filters":[{"authorizationIds":{"ids":["a1",2]}}]}'],
    ["State", '{"filters":[{"state":{"state":true}}]}'],
    ["PaginationRequest", '{"pagination":[]}'],
    ["PaginationRequest.limit", '{"pagination":{"limit":"ten"}}'],
    ["PaginationRequest.limit", '{"pagination":{"limit":-1}}'],
    ["PaginationRequest.limit", '{"pagination":{"limit":1.5}}'],
    ["PaginationRequest.limit", '{"pagination":{"limit":4294967296}}'],
    ["PaginationRequest.offset", '{"pagination":{"offset":-1}}'],
    ["PaginationRequest.offset", '{"pagination":{"offset":"18446744073709551616"}}'],
    ["PaginationRequest.asc", '{"pagination":{"asc":"true"}}'],
    ["AuthorizationFieldName", '{"sorting_column":[]}'],
    // Two members of a one-of: which of them was meant?
    ["AuthorizationsSearchFilter.filter", '{"filters":[{"userId":{"id":"ann"},"projectId":{"id":"shop"}}]}'],
  ])("%s (%#)", async (name, text) => {
    expectError(await list(text), 400, "invalid_argument", cannotDecode(name));
  });

  test("also a date", async () => {
    for (const date of ["yesterday", 7, "2024-13-01T00:00:00Z", { seconds: 1 }]) {
      const answer = await server.call("DeleteAuthorization", { id: "a1", ifUnchangedSince: date }, { token });
      expectError(answer, 400, "invalid_argument", cannotDecode("google.protobuf.Timestamp"));
    }
  });
});

/** @param name the end of what the message names */
function cannotDecode(name: string): RegExp {
  return new RegExp(
    `^cannot decode (?:field|message|enum|oneof) (?:\\S+\\.)?${name.replaceAll(".", "\\.")} from JSON: `,
  );
}

describe("An unknown name of an enum is invalid_argument, and the message names the enum and what was sent", () => {
  test.each([
    ["AuthorizationFieldName", "CREATED_DATE", '{"sortingColumn":"CREATED_DATE"}'],
    ["AuthorizationFieldName", "authorization_field_name_id", '{"sortingColumn":"authorization_field_name_id"}'],
    ["AuthorizationFieldName", "", '{"sortingColumn":""}'],
    ["State", "ACTIVE", '{"filters":[{"state":{"state":"ACTIVE"}}]}'],
    ["TextFilterMethod", "EQUALS", '{"filters":[{"roleKey":{"key":"x","method":"EQUALS"}}]}'],
  ])("%s %j in %s", async (name, sent, text) => {
    const answer = await list(text);
    expectError(answer, 400, "invalid_argument", cannotDecode(name));
    expect(answer.body.message).toContain(JSON.stringify(sent));
  });

  test("so is an unknown number", async () => {
    for (const number of ["8", "-1", "2147483647"]) {
      expectError(await list(`{"sortingColumn":${number}}`), 400, "invalid_argument", /^sortingColumn: /);
    }
    const tooLarge = await list('{"sortingColumn":4294967296}');
    expectError(tooLarge, 400, "invalid_argument", cannotDecode("sorting_column"));
  });
});

describe("An unknown field is invalid_argument and named, so that a misspelled filter never widens a list", () => {
  test.each([
    ["filter", '{"filter":[{"userId":{"id":"ann"}}]}'],
    ["Filters", '{"Filters":[]}'],
    ["userID", '{"filters":[{"userID":{"id":"ann"}}]}'],
    ["ids", '{"filters":[{"userId":{"ids":["ann"]}}]}'],
    ["page", '{"pagination":{"page":null}}'],
    ["__proto__", '{"__proto__":{"filters":[]}}'],
    ["constructor", '{"constructor":1}'],
    ["@type", '{"@type":"x"}'],
    ["[service.extension]", '{"[service.extension]":1}'],
  ])("%s in %s", async (field, text) => {
    const answer = await list(text);
    expectError(answer, 400, "invalid_argument", / is unknown$/);
    expect(answer.body.message).toContain(`key ${JSON.stringify(field)} is unknown`);
  });
});

describe("A field given twice is invalid_argument", () => {
  test.each([
    ["filters", '{"filters":[{"userId":{"id":"ann"}}],"filters":[]}'],
    ["limit", '{"pagination":{"limit":1,"limit":2}}'],
    ["filters", '{"filters":[{"userId":{"id":"ann"}}],"filter\\u0073":[]}'],
    ["sorting_column", '{"sorting_column":1,"sortingColumn":2}'],
  ])("%s in %s", async (field, text) => {
    const answer = await list(text);
    expectError(answer, 400, "invalid_argument");
    expect(answer.body.message).toContain(field);
  });
});

describe("Input may be written", () => {
  test("in lowerCamelCase and in snake_case, with numbers as numbers and as strings", async () => {
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

  test("with an offset as large as uint64 goes", async () => {
    const { body } = await list('{"pagination":{"offset":"18446744073709551615"}}');
    expect(body).toEqual({ pagination: { totalResult: 6, appliedLimit: 100, nextPageToken: "" }, authorizations: [] });
  });
});

describe("Bad UTF-8 in JSON is invalid_argument", () => {
  test.each([
    ["a byte that never occurs", [0xff]],
    ["a lone continuation byte", [0x80]],
    ["a cut off character", [0xe2, 0x82]],
    ["an overlong form", [0xc0, 0x80]],
    ["an encoded surrogate", [0xed, 0xa0, 0x80]],
    ["beyond the last character", [0xf4, 0x90, 0x80, 0x80]],
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

  test("where a surrogate pair is an ordinary character", async () => {
    expect((await list('{"filters":[{"userId":{"id":"\\ud83d\\ude00"}}]}')).status).toBe(200);
  });
});

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
