import { describe, expect, test } from "vitest";
import { listModel } from "../support/list-model.ts";
import { serveTests } from "../support/server.ts";
import { authorization, role, user } from "../support/world.ts";

/**
 * Forty organizations with a project each, which is also granted to the next one. The first ones hold the newest
 * authorizations: all of a page can come from one place, or a little from each. Some share a name, others have their own.
 */
const numbers = Array.from({ length: 40 }, (_, index) => index);
const rows = numbers.flatMap((at) =>
  numbers
    .filter((person) => (person * 7 + at) % 4 !== 0)
    .map((person) => {
      const granted = person % 3 === 0;
      const date = new Date(Date.UTC(2024, 0, 100 - 2 * at, 0, at < 20 ? person : 0)).toISOString();
      const state = person % 5 === 0 ? "STATE_INACTIVE" : "STATE_ACTIVE";
      const project = granted ? (at + 39) % 40 : at;
      return authorization(`a-${person}-${at}`, `u${person}`, `p${project}`, `o${at}`, ["r"], date, state);
    }),
);
const world = [
  ...numbers.map((at) => ({ organization: { id: `o${at}`, name: sharedName(at, 30) } })),
  ...numbers.map((at) => user(`u${at}`, `o${at}`, sharedName(at, 8))),
  ...numbers.map((at) => ({ project: { id: `p${at}`, organizationId: `o${at}`, name: sharedName(at, 12) } })),
  ...numbers.map((at) => role(`p${at}`, "r")),
  ...numbers.map((at) => ({
    projectGrant: { id: `g${at}`, projectId: `p${at}`, organizationId: `o${(at + 1) % 40}`, roleKeys: ["r"] },
  })),
  ...numbers.slice(0, 30).map((at) => ({
    administrator: { userId: "u0", organizationId: `o${at}`, roles: ["ORG_OWNER_VIEWER"] },
  })),
  ...numbers.map((at) => ({ administrator: { userId: "u1", projectId: `p${at}`, roles: ["PROJECT_OWNER"] } })),
  ...numbers.map((at) => ({
    administrator: { userId: "u2", projectGrantId: `g${at}`, roles: ["PROJECT_GRANT_OWNER"] },
  })),
  ...rows,
];
const model = listModel(world);
const server = await serveTests();
await server.database.load(...world);

describe.each([
  ["u0", "thirty organizations"],
  ["u1", "forty projects"],
  ["u2", "forty project grants"],
])("A caller with rights in many places (%s: %s)", (caller) => {
  test.each([
    "CREATED_DATE",
    "CHANGED_DATE",
    "ORGANIZATION_ID",
    "USER_ID",
    "PROJECT_ID",
    "USER_DISPLAY_NAME",
    "PROJECT_NAME",
    "ORGANIZATION_NAME",
  ])("pages through what it sees by %s, whichever places it comes from", async (column) => {
    const token = await server.database.token(caller);
    for (const asc of [true, false]) {
      for (const filters of [[], [{ state: { state: "STATE_INACTIVE" } }]]) {
        const request = { sortingColumn: `AUTHORIZATION_FIELD_NAME_${column}`, filters };
        const whole = model.list(caller, { ...request, pagination: { limit: 1_000, asc } });
        const ids = whole.authorizations.map(({ id }) => id);
        expect(ids.length).toBeGreaterThan(80);
        const shown: string[] = [];
        let pageToken = "";
        for (const limit of [40, 1, 7, 1_000]) {
          const { body } = await server.call(
            "ListAuthorizations",
            { ...request, pagination: { limit, asc, pageToken } },
            { token },
          );
          shown.push(...body.authorizations.map(({ id }: { id: string }) => id));
          expect(body.pagination.totalResult).toBe(ids.length);
          pageToken = body.pagination.nextPageToken;
        }
        expect([pageToken, shown]).toEqual(["", ids]);
      }
    }
  });
});

/** The first so many share two names, in either case; the others have one each. */
function sharedName(at: number, shared: number): string {
  if (at >= shared) return `Name ${at}`;
  return at % 3 === 0 ? "Common" : at % 3 === 1 ? "COMMON" : "Rare";
}
