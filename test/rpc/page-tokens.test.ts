import { describe, expect, test } from "vitest";
import { forgedToken } from "../support/forged-token.ts";
import { type Answer, errorInfo, serveTests } from "../support/server.ts";

const tokens: Record<string, string> = {};

const server = await serveTests({ smallWorld: true });
await server.database.load({ administrator: { userId: "adam", organizationId: "acme", roles: ["ORG_OWNER"] } });
for (const user of ["root", "ann", "bob"]) tokens[user] = await server.database.token(user);

function list(request: { pagination?: object; [field: string]: unknown }, as = "root"): Promise<Answer> {
  return server.call("ListAuthorizations", request, { token: tokens[as] ?? "" });
}

async function tokenOf(request: { pagination?: object; [field: string]: unknown } = {}): Promise<string> {
  const { body } = await list({ ...request, pagination: { limit: 2, ...request.pagination } });
  expect(body.pagination.nextPageToken).not.toBe("");
  return body.pagination.nextPageToken;
}

const idsOf = ({ body }: Answer): string[] => body.authorizations.map(({ id }: { id: string }) => id);

function expectInvalid(answer: Answer): void {
  expect([answer.status, answer.body.code]).toEqual([400, "invalid_argument"]);
  expect(answer.body.message).toContain("pagination.pageToken");
  expect(errorInfo(answer)).toEqual({ reason: "PAGE_TOKEN_INVALID", domain: "authorization.service", metadata: {} });
}

describe("A page token", () => {
  test("is empty on the last page, also when that is full or past the end", async () => {
    const everything = idsOf(await list({ pagination: { limit: 1_000 } }));
    for (const pagination of [{ limit: everything.length }, {}, { offset: 4, limit: 2 }, { offset: 100 }]) {
      expect((await list({ pagination })).body.pagination.nextPageToken).toBe("");
    }
    const { body } = await list({ pagination: { limit: everything.length - 1 } });
    expect(body.pagination.nextPageToken).not.toBe("");
  });

  test("with an offset is refused, as a broken rule of the message", async () => {
    const answer = await list({ pagination: { pageToken: await tokenOf(), offset: 1 } });
    expect([answer.status, answer.body.code]).toEqual([400, "invalid_argument"]);
    expect(answer.body.message).toContain("offset must be 0 when pageToken is set");
    expect(answer.body.details[0].type).toBe("buf.validate.Violations");
  });

  test("serves another limit, the same filters in another order, and snake case", async () => {
    const filters = [{ state: { state: "STATE_ACTIVE" } }, { projectId: { id: "shop" } }];
    const all = idsOf(await list({ filters }));
    const pageToken = await tokenOf({ filters, pagination: { limit: 1 } });
    const request = { filters: filters.toReversed(), pagination: { page_token: pageToken, limit: 50 } };
    expect(idsOf(await list(request))).toEqual(all.slice(1));
    const named = { filters, sortingColumn: "AUTHORIZATION_FIELD_NAME_CREATED_DATE", pagination: { pageToken } };
    expect(idsOf(await list(named))).toEqual(all.slice(1));
  });

  const filters = [{ projectId: { id: "shop" } }];
  test.each([
    ["one filter more", { filters: [...filters, ...filters] }],
    ["another sorting column", { filters, sortingColumn: "AUTHORIZATION_FIELD_NAME_CHANGED_DATE" }],
  ])("of a list with %s is refused with PAGE_TOKEN_INVALID", async (_what, request) => {
    expectInvalid(await list({ ...request, pagination: { pageToken: await tokenOf({ filters }) } }));
  });

  test.each(["x", "!", "%", "WzFd", "e30", "bnVsbA", "\u{1f600}", " ", "A".repeat(8_192)])(
    "that is %.9s does not decode and is refused with PAGE_TOKEN_INVALID",
    async (pageToken) => expectInvalid(await list({ pagination: { pageToken } })),
  );

  test("with anything in it or after it that was not there is refused with PAGE_TOKEN_INVALID", async () => {
    const token = await tokenOf();
    const withMark = Buffer.from(`\ufeff${Buffer.from(token, "base64url")}`).toString("base64url");
    const others = [`${token}!!!`, `${token}==`, `${token.slice(0, 9)} \n${token.slice(9)}`, withMark];
    for (const pageToken of others) expectInvalid(await list({ pagination: { pageToken } }));
  });

  test.each<[string, unknown[]]>([
    ["no number of microseconds", ["2024-01-01", "a"]],
    ["a time before the year 1", ["-62135596800000001", "a"]],
    ["a time after the year 9999", ["253402300800000000", "a"]],
    ["a number without an end", ["9".repeat(100), "a"]],
    ["a NUL character", ["0", "\0"]],
    ["half a character", ["0", "\ud800"]],
  ])("with %s for its position is refused with PAGE_TOKEN_INVALID", async (_what, position) => {
    expectInvalid(await list({ pagination: { pageToken: forgedToken(await tokenOf(), ...position) } }));
  });

  test("over 8192 characters breaks a rule of the message", async () => {
    const { status, body } = await list({ pagination: { pageToken: "A".repeat(8_193) } });
    expect([status, body.code, body.details[0].type]).toEqual([400, "invalid_argument", "buf.validate.Violations"]);
    expect(body.message).toContain("pagination.pageToken");
  });

  test("holds no rights: callers who use it see their own rows after the position, and no others", async () => {
    const byId = { sortingColumn: "AUTHORIZATION_FIELD_NAME_ID" };
    const pageToken = await tokenOf({ ...byId, pagination: { asc: true } });
    for (const as of ["root", "ann", "bob"]) {
      const seen = idsOf(await list({ ...byId, pagination: { asc: true } }, as));
      for (const at of ["", "a2", "a3", "zzz", "'; drop table users --"]) {
        const pagination = { asc: true, pageToken: forgedToken(pageToken, at, at) };
        expect(idsOf(await list({ ...byId, pagination }, as))).toEqual(seen.filter((id) => id > at));
      }
    }
  });

  test("keeps its place while rows before it come and go, and shows none twice", async () => {
    const byId = { sortingColumn: "AUTHORIZATION_FIELD_NAME_ID" };
    const before = idsOf(await list({ ...byId, pagination: { asc: true, limit: 1_000 } }));
    const pageToken = await tokenOf({ ...byId, pagination: { asc: true, limit: 3 } });
    const authorization = { userId: "cid", projectId: "depot", organizationId: "acme", roleKeys: [] };
    await server.database.load(
      { remove: { authorizationId: before[0] } },
      { remove: { authorizationId: before[2] } },
      { authorization: { id: "0-early", ...authorization } },
    );
    const { body } = await list({ ...byId, pagination: { asc: true, pageToken } });
    expect(body.authorizations.map(({ id }: { id: string }) => id)).toEqual(before.slice(3));
    expect(body.pagination.totalResult).toBe(before.length - 1);
  });
});
