import { afterAll, describe, expect, test } from "vitest";
import { AuthorizationFieldNameSchema } from "../../gen/service/authorization/v2/authorization_pb.ts";
import { sortingColumns } from "../oracle/model/list.ts";
import { listModel } from "../support/list-model.ts";
import { startTestServer } from "../support/server.ts";
import { user } from "../support/world.ts";

const organizationNames = { alpha: "alpha", beta: "Zeta", gamma: "gamma", omega: "eta" };

const world: object[] = [
  ...Object.entries(organizationNames).map(([id, name]) => ({ organization: { id, name } })),
  user("root", "omega"),
  { administrator: { userId: "root", instance: true, roles: ["IAM_OWNER"] } },
  user("u-a", "gamma", "Zoe"),
  user("u-b", "alpha", "ann"),
  user("u-c", "beta", "ANN"),
  { project: { id: "p-1", organizationId: "omega", name: "Z" } },
  { project: { id: "p-2", organizationId: "omega", name: "a" } },
  { projectGrant: { id: "g", projectId: "p-1", organizationId: "beta", roleKeys: [] } },
  row("a", "u-a", "p-2", "omega", "2024-01-03T00:00:00.000001Z", "2024-02-04T00:00:00Z"),
  row("b", "u-b", "p-1", "omega", "2024-01-02T00:00:00Z", "2024-02-02T00:00:00Z"),
  row("c", "u-c", "p-2", "omega", "2024-01-03T00:00:00.000001Z", "2024-02-05T00:00:00.123Z"),
  row("d", "u-b", "p-1", "beta", "2024-01-01T00:00:00Z", "2024-02-05T00:00:00.123001Z"),
  row("e", "u-a", "p-1", "beta", "2024-01-01T00:00:00Z", "2024-02-05T00:00:00.123001Z"),
];
const model = listModel(world);

const server = await startTestServer();
await server.database.load(...world);
const token = await server.database.token("root");
afterAll(() => server.stop());

/** The default column, all by their names, and one by its number. Dates and names are in an order of their own. */
const columns: [column: string | number | undefined, ascending: string][] = [
  [undefined, ascendingBy({})],
  ...Object.keys(sortingColumns).map((name): [string, string] => [name, ascendingBy({ sortingColumn: name })]),
  [7, ascendingBy({ sortingColumn: "AUTHORIZATION_FIELD_NAME_USER_ORGANIZATION_ID" })],
];

function ascendingBy(column: { sortingColumn?: string }): string {
  const { authorizations } = model.list("root", { pagination: { asc: true }, ...column });
  return authorizations.map(({ id }) => id).join(" ");
}

describe("ListAuthorizations", () => {
  test("sorts by the columns that are tested here", () => {
    expect(Object.keys(sortingColumns)).toEqual(AuthorizationFieldNameSchema.values.map(({ name }) => name));
  });

  test.each(columns)("sorted by %s ascends when asked to, with ties by id", async (sortingColumn, ascending) => {
    expect(await idsBy(sortingColumn, { asc: true })).toBe(ascending);
  });

  test.each(columns)("sorted by %s descends by default, ties by id too", async (sortingColumn, ascending) => {
    const descending = ascending.split(" ").reverse().join(" ");
    expect(await idsBy(sortingColumn, { asc: false })).toBe(descending);
    expect(await idsBy(sortingColumn, {})).toBe(descending);
  });

  test("sorts by the organization a user is in now, also after it moved", async () => {
    const move = (organizationId: string) => server.database.load(user("u-b", organizationId, "ann"));
    await move("omega");
    expect(await idsBy("AUTHORIZATION_FIELD_NAME_USER_ORGANIZATION_ID", { asc: true })).toBe("c a e b d");
    await move("alpha");
    expect(await idsBy("AUTHORIZATION_FIELD_NAME_USER_ORGANIZATION_ID", { asc: true })).toBe("b d c a e");
  });
});

function row(id: string, userId: string, projectId: string, organizationId: string, created: string, changed: string) {
  const dates = { creationDate: created, changeDate: changed };
  return { authorization: { id, userId, projectId, organizationId, roleKeys: [], ...dates } };
}

async function idsBy(sortingColumn: string | number | undefined, pagination: object) {
  const request = { pagination, sortingColumn };
  const { body } = await server.call("ListAuthorizations", request, { token });
  return body.authorizations.map(({ id }: { id: string }) => id).join(" ");
}
