import { describe, expect, test } from "vitest";
import { expectError } from "../support/connect-errors.ts";
import { forgedToken } from "../support/forged-token.ts";
import { expectRefusal } from "../support/refusals.ts";
import { serveSmallWorld } from "../support/server.ts";

// docs/reference/lists-and-filters.md, "Pages", is about all lists.

const { server, root: token } = await serveSmallWorld();
await server.database.load({ administrator: { userId: "ann", instance: true, roles: ["IAM_OWNER_VIEWER"] } });
await server.database.token("root");

type List = {
  readonly path: string;
  readonly request?: object;
  readonly narrower: object;
  readonly isOneWay?: boolean;
  /** Positions that no row of this list can have. */
  readonly nowhere?: readonly string[][];
};

const byUser = { filters: [{ userId: { id: "ann" } }] };
const byName = { filters: [{ name: { text: "a" } }] };
const lists: readonly List[] = [
  { path: "authorization.v2.AuthorizationService/ListAuthorizations", narrower: byUser },
  {
    path: "authorization.v2.AuthorizationHistoryService/ListAuthorizationEvents",
    narrower: byUser,
    nowhere: [
      ["2024-01-01", "1"],
      ["-62135596800000001", "1"],
      ["0", "-1"],
      ["0", "9".repeat(19)],
      ["0", "'; drop table events --"],
    ],
  },
  { path: "directory.v1.DirectoryHistoryService/ListDirectoryEvents", narrower: byUser },
  {
    path: "directory.v1.DirectoryService/ListAdministrators",
    narrower: { userId: "ann" },
    nowhere: [
      ["bob", "4", "x"],
      ["bob", "", "x"],
    ],
  },
  {
    path: "identity.v1.TokenService/ListTokens",
    narrower: { userId: "ann" },
    nowhere: [
      ["x", "t1"],
      ["9".repeat(18), "t1"],
    ],
  },
  // These are always sorted by name.
  { path: "directory.v1.DirectoryService/ListOrganizations", narrower: byName, isOneWay: true },
  { path: "directory.v1.DirectoryService/ListProjects", narrower: byName, isOneWay: true },
  {
    ...{ path: "directory.v1.DirectoryService/ListProjects", request: { assignable: true } },
    ...{ narrower: { assignable: true, ...byName }, isOneWay: true },
  },
  { path: "directory.v1.DirectoryService/ListUsers", narrower: byName, isOneWay: true },
];

const ask = ({ path, request }: List, more: object) => server.callService(path, { ...request, ...more }, { token });

describe.each(lists.map((list) => ({ list, name: `${list.path} ${JSON.stringify(list.request ?? {})}` })))(
  "$name",
  ({ list }) => {
    test("refuses a limit over the maximum", async () => {
      for (const limit of [1_001, 4_294_967_295]) {
        const metadata = { limit: String(limit), maximum: "1000" };
        const refusal = { status: 400, code: "invalid_argument", reason: "LIMIT_EXCEEDED", metadata };
        const answer = await ask(list, { pagination: { limit } });
        expectRefusal(answer, refusal);
        expect(answer.body.message).toContain("pagination.limit");
      }
    });

    test("refuses a page token of any other list, of itself with other filters or the other way, and what is none", async () => {
      const { pageToken } = await firstPage(list);
      expect((await ask(list, { pagination: { pageToken } })).status).toBe(200);
      const others = await Promise.all(lists.filter((other) => other !== list).map(firstPage));
      const refusal = { status: 400, code: "invalid_argument", reason: "PAGE_TOKEN_INVALID" };
      for (const pagination of [...others, { pageToken: "x" }]) expectRefusal(await ask(list, { pagination }), refusal);
      expectRefusal(await ask(list, { ...list.narrower, pagination: { pageToken } }), refusal);
      if (!list.isOneWay) expectRefusal(await ask(list, { pagination: { pageToken, asc: true } }), refusal);
    });

    test("refuses a page token with a position that can't be", async () => {
      const { pageToken } = await firstPage(list);
      for (const position of [[], ["0"], [0, 1], ["0", "1", "2", "3"], ...(list.nowhere ?? [])]) {
        const answer = await ask(list, { pagination: { pageToken: forgedToken(pageToken, ...position) } });
        expectRefusal(answer, { status: 400, code: "invalid_argument", reason: "PAGE_TOKEN_INVALID" });
      }
    });

    test("takes 50 filters and not one more", async () => {
      if (!("filters" in list.narrower)) return;
      const [filter] = list.narrower.filters as object[];
      expect((await ask(list, { filters: Array(50).fill(filter) })).status).toBe(200);
      const refused = await ask(list, { filters: Array(51).fill(filter) });
      expectError(refused, 400, "invalid_argument", /^filters: must have at most 50 items/);
    });
  },
);

async function firstPage(list: List): Promise<{ pageToken: string }> {
  const { body } = await ask(list, { pagination: { limit: 1 } });
  expect(body.pagination.nextPageToken, list.path).not.toBe("");
  return { pageToken: body.pagination.nextPageToken };
}
