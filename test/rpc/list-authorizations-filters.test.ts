import { describe, expect, test } from "vitest";
import { filterKinds, listFields } from "../support/list-requests.ts";
import { bodyOf, serveSmallWorld } from "../support/server.ts";

const { server, root } = await serveSmallWorld();
await server.database.query("update authorizations set expiration_date = '2024-03-01Z' where id = 'a5'");

const all = ["a1", "a2", "a3", "a4", "a5", "a6"];
const method = (name: string) => `TEXT_FILTER_METHOD_${name}`;

/** Every kind with a filter that matches some and not all: one that is ignored lists too much. */
const someOf: Record<string, [filter: object, ids: string[]]> = {
  authorizationIds: [{ ids: ["a6", "a1", "a7"] }, ["a1", "a6"]],
  inUserIds: [{ ids: ["bob", "ann", "nobody"] }, ["a1", "a4", "a6"]],
  userId: [{ id: "adam" }, ["a2", "a3"]],
  organizationId: [{ id: "globex" }, ["a4", "a5"]],
  userOrganizationId: [{ id: "globex" }, ["a4", "a5", "a6"]],
  projectId: [{ id: "depot" }, ["a3"]],
  projectGrantId: [{ id: "shop-to-globex" }, ["a4", "a5"]],
  state: [{ state: "STATE_INACTIVE" }, ["a5"]],
  userPreferredLoginName: [{ loginName: "bob@globex.example" }, ["a4", "a6"]],
  userDisplayName: [{ displayName: "adam of acme" }, ["a2", "a3"]],
  projectName: [{ name: "Depot" }, ["a3"]],
  organizationName: [{ name: "Globex" }, ["a4", "a5"]],
  projectIds: [{ ids: ["depot", "nothing"] }, ["a3"]],
  roleKey: [{ key: "auditor" }, ["a2", "a4"]],
  roleKeys: [{ keys: ["owner", "auditor"] }, ["a1", "a2", "a4"]],
  created: [{ from: "2024-01-02T12:00:00Z", to: "2024-01-05T00:00:00Z" }, ["a3", "a4"]],
  changed: [{ from: "2024-01-02T12:00:00Z", to: "2024-01-05T00:00:00Z" }, ["a3", "a4"]],
  expires: [{ from: "2024-03-01T00:00:00Z", to: "2024-03-02T00:00:00Z" }, ["a5"]],
};

describe("a filter of ListAuthorizations", () => {
  test.each(filterKinds)("%s lists exactly what it matches", async (kind) => {
    const [filter, ids] = someOf[kind] ?? [];
    expect(await idsWith({ [kind]: filter })).toEqual(ids);
  });

  test.each(["userId", "organizationId", "userOrganizationId", "projectId"])(
    "%s matches exactly: nothing for an empty id, another case, a part, a space more or a wildcard",
    async (kind) => {
      const [filter] = someOf[kind] ?? [];
      const { id } = filter as { id: string };
      const others = ["", id.toUpperCase(), id.slice(1), id.slice(0, -1), `${id} `, ` ${id}`, "%", "_".repeat(4)];
      for (const other of others) {
        expect(await idsWith({ [kind]: { id: other } }), other).toEqual([]);
      }
    },
  );

  test("projectGrantId with an empty or absent id matches what hangs on no grant", async () => {
    expect(await idsWith({ projectGrantId: { id: "" } })).toEqual(["a1", "a2", "a3"]);
    expect(await idsWith({ projectGrantId: {} })).toEqual(["a1", "a2", "a3"]);
    expect(await idsWith({ projectGrantId: { id: "shop-to-GLOBEX" } })).toEqual([]);
  });

  test.each(Object.entries(listFields))("%s with an empty or absent list matches nothing", async (kind, field) => {
    expect(await idsWith({ [kind]: { [field]: [] } })).toEqual([]);
    expect(await idsWith({ [kind]: {} })).toEqual([]);
  });

  test.each(Object.entries(listFields))(
    "%s takes texts that mean something to Postgres as they are",
    async (kind, field) => {
      const texts = ["NULL", "null", "{}", "{a1,a2}", '"a1"', "a1,a2", "\\", "a\\1", "'", "%", "a_", " a1", "a1\n"];
      expect(await idsWith({ [kind]: { [field]: [...texts, "SHOP", "Seller"] } })).toEqual([]);
    },
  );

  test.each(["STARTS_WITH", "CONTAINS", "ENDS_WITH"].flatMap((name) => [name, `${name}_IGNORE_CASE`]))(
    "%s finds the empty text in every project name and in every role key",
    async (name) => {
      expect(await idsWith({ projectName: { name: "", method: method(name) } })).toEqual(all);
      // Nobody has the empty text in a role it does not hold: a3 has no roles.
      expect(await idsWith({ roleKey: { key: "", method: method(name) } })).toEqual(["a1", "a2", "a4", "a5", "a6"]);
    },
  );

  test.each(["EQUALS", "EQUALS_IGNORE_CASE"])("%s finds the empty text nowhere", async (name) => {
    expect(await idsWith({ projectName: { name: "", method: method(name) } })).toEqual([]);
    expect(await idsWith({ roleKey: { key: "", method: method(name) } })).toEqual([]);
  });

  test("never lets a filter widen what the caller sees", async () => {
    const ann = await server.database.token("ann");
    expect(await idsFor(ann, { inUserIds: { ids: ["ann", "adam", "bob"] } })).toEqual(["a1"]);
    expect(await idsFor(ann, { roleKey: { key: "", method: method("CONTAINS") } })).toEqual(["a1"]);
    expect(await idsFor(ann, { userId: { id: "adam" } })).toEqual([]);
  });

  test("of every kind at once and fifty times is still answered", async () => {
    const every = filterKinds.map((kind) => ({ [kind]: someOf[kind]?.[0] }));
    expect(await idsWith(...[...every, ...every, ...every].slice(0, 50))).toEqual([]);
    expect(await idsWith(...Array<object>(50).fill({ userId: { id: "ann" } }))).toEqual(["a1"]);
  });
});
const not = (filter: object) => ({ not: filter });

describe.each(["created", "changed"])("the dates of %s", (kind) => {
  const between = (from?: string, to?: string) => ({ [kind]: { from, to } });

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

const idsWith = (...filters: object[]) => idsFor(root, ...filters);

/** The ids that are listed, which the total has to agree with. */
async function idsFor(token: string, ...filters: object[]): Promise<string[]> {
  const body = await bodyOf(server.call("ListAuthorizations", { filters }, { token }));
  const ids = body.authorizations.map(({ id }: { id: string }) => id).sort();
  expect(body.pagination.totalResult).toBe(ids.length);
  return ids;
}
