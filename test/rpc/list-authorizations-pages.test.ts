import { describe, expect, test } from "vitest";
import { compareTexts } from "../oracle/model/world.ts";
import { mixedWorld } from "../support/mixed-world.ts";
import { bodyOf, errorInfo, serverInTest, serveTests } from "../support/server.ts";

const ids = mixedWorld()
  .flatMap((line) => ("authorization" in line ? [(line.authorization as { id: string }).id] : []))
  .sort(compareTexts);
const total = ids.length;

const server = await serveTests();
await server.database.load(...mixedWorld());
const token = await server.database.token("IAM_OWNER");

describe("a page of ListAuthorizations", () => {
  test.each([
    [{}, 100],
    [{ limit: 0 }, 100],
    [{ limit: "0" }, 100],
    [{ limit: 1 }, 1],
    [{ limit: "7" }, 7],
    [{ limit: 101 }, 101],
    [{ limit: 1_000 }, 1_000],
  ])("asked for with %o has an applied limit of %i and so many rows at most", async (pagination, limit) => {
    const { body } = await page({ asc: true, ...pagination });
    expect(body.pagination).toEqual({ totalResult: total, appliedLimit: limit, nextPageToken: expect.any(String) });
    expect(idsOf(body)).toEqual(ids.slice(0, limit));
  });

  test.each([
    String(total),
    String(total + 1),
    "4294967296",
    "9007199254740993",
    "9223372036854774808",
    "9223372036854775806",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
  ])("past the end, at the offset %s, is empty and has the total", async (offset) => {
    for (const limit of [1, 1_000]) {
      expect(await bodyOf(page({ offset, limit }))).toEqual({
        pagination: { totalResult: total, appliedLimit: limit, nextPageToken: expect.any(String) },
        authorizations: [],
      });
    }
  });

  test("follows the configured default and maximum", async () => {
    const limits = { defaultLimit: 2, maximumLimit: 3 };
    const small = await serverInTest({ limits, database: server.database });
    const ask = (pagination: object) => small.call("ListAuthorizations", { pagination }, { token });
    for (const pagination of [{}, { limit: 0 }]) {
      const { body } = await ask(pagination);
      expect(body.pagination).toEqual({ totalResult: total, appliedLimit: 2, nextPageToken: expect.any(String) });
      expect(body.authorizations).toHaveLength(2);
    }
    expect((await ask({ limit: 3 })).body.authorizations).toHaveLength(3);
    expect(errorInfo(await ask({ limit: 4 }))?.metadata).toEqual({ limit: "4", maximum: "3" });
  });
});

function page(pagination: object) {
  const request = { pagination, sortingColumn: "AUTHORIZATION_FIELD_NAME_ID" };
  return server.call("ListAuthorizations", request, { token });
}

function idsOf(body: any): string[] {
  return body.authorizations.map(({ id }: { id: string }) => id);
}
