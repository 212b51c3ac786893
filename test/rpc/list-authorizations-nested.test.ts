import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let root: string;

beforeAll(async () => {
  server = await startTestServer({ smallWorld: true });
  root = await server.database.token("root");
});
afterAll(() => server.stop());

const all = ["a1", "a2", "a3", "a4", "a5", "a6"];
const auditor = { roleKey: { key: "auditor" } };
const globex = { organizationId: { id: "globex" } };
const ann = { userId: { id: "ann" } };
const not = (filter: object) => ({ not: filter });
const anyOf = (...filters: object[]) => ({ anyOf: { filters } });
const allOf = (...filters: object[]) => ({ allOf: { filters } });

describe("a filter that nests others", () => {
  test("anyOf of nothing matches nothing, and not of that everything", async () => {
    expect(await idsWith(anyOf())).toEqual([]);
    expect(await idsWith({ anyOf: {} })).toEqual([]);
    expect(await idsWith(not(anyOf()))).toEqual(all);
    expect(await idsWith(anyOf(anyOf(), ann))).toEqual(["a1"]);
    expect(await idsWith(anyOf(not(anyOf()), auditor))).toEqual(all);
    expect(await idsWith(allOf(anyOf(), ann))).toEqual([]);
  });

  test("is joined to the others by AND", async () => {
    expect(await idsWith(anyOf(auditor, globex), anyOf(ann, { userId: { id: "bob" } }))).toEqual(["a4"]);
    expect(await idsWith(globex, anyOf(auditor, ann), not(ann))).toEqual(["a4"]);
    expect(await idsWith(anyOf(allOf(globex, auditor), allOf(ann, { projectId: { id: "shop" } })))).toEqual([
      "a1",
      "a4",
    ]);
  });
});

describe.each(["created", "changed"])("the dates of %s", (kind) => {
  const between = (from?: string, to?: string) => ({ [kind]: { from, to } });

  test("are matched from the first, up to the second and without it", async () => {
    expect(await idsWith(between("2024-01-04T00:00:00Z"))).toEqual(["a4", "a5", "a6"]);
    expect(await idsWith(between(undefined, "2024-01-04T00:00:00Z"))).toEqual(["a1", "a2", "a3"]);
    expect(await idsWith(between("2024-01-04T00:00:00Z", "2024-01-05T00:00:00Z"))).toEqual(["a4"]);
    expect(await idsWith(between("2024-01-04T00:00:00Z", "2024-01-04T00:00:00Z"))).toEqual([]);
  });

  test("may be finer than what is stored, to the nanosecond", async () => {
    // a3 is one microsecond after midnight.
    const nanosecond = (n: number) => `2024-01-03T00:00:00.${String(n).padStart(9, "0")}Z`;
    expect(await idsWith(between(nanosecond(999), nanosecond(1_001)))).toEqual(["a3"]);
    expect(await idsWith(between(nanosecond(1_000), nanosecond(1_001)))).toEqual(["a3"]);
    expect(await idsWith(between(nanosecond(1_001), nanosecond(2_000)))).toEqual([]);
    expect(await idsWith(between(nanosecond(1), nanosecond(1_000)))).toEqual([]);
  });

  test("may be the first and the last there are, and before 1970", async () => {
    const [first, last] = ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z"];
    expect(await idsWith(between(first, last))).toEqual(all);
    expect(await idsWith(between(last))).toEqual([]);
    expect(await idsWith(not(between(last)))).toEqual(all);
    expect(await idsWith(between(undefined, first))).toEqual([]);
    expect(await idsWith(between("1969-12-31T23:59:59.999999999Z", last))).toEqual(all);
    expect(await idsWith(between(undefined, "1969-12-31T23:59:59.000000001Z"))).toEqual([]);
  });
});

test("roleKeys tells letters' case apart, and takes what means something to Postgres", async () => {
  expect(await idsWith({ roleKeys: { keys: ["SELLER", "Owner", "auditor "] } })).toEqual([]);
  expect(await idsWith({ roleKeys: { keys: ["SELLER", '"', "\\", ",", "{}", "Ä", "owner"] } })).toEqual(["a1"]);
});

/** The ids that are listed, which the total has to agree with. */
async function idsWith(...filters: object[]): Promise<string[]> {
  const { status, body } = await server.call("ListAuthorizations", { filters }, { token: root });
  expect(status, JSON.stringify(body)).toBe(200);
  const ids = body.authorizations.map(({ id }: { id: string }) => id).sort();
  expect(body.pagination.totalResult).toBe(ids.length);
  return ids;
}
