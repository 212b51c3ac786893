import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Refusal } from "../../src/authorization/refusal.ts";
import { createSmallWorld, type TestDatabase } from "../support/database.ts";
import { countEvents, stored } from "../support/stored.ts";
import { authorization, role, user } from "../support/world.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createSmallWorld();
});
afterAll(() => database.drop());

const date = "2025-01-01T00:00:00Z";
const organization = (id: string) => ({ organization: { id, name: id } });
const project = (id: string, organizationId: string) => ({ project: { id, organizationId, name: id } });
const grant = (id: string, projectId: string, organizationId: string, roleKeys: string[] = []) => ({
  projectGrant: { id, projectId, organizationId, roleKeys },
});
const administrator = (userId: string, scope: object, roles: string[]) => ({
  administrator: { userId, ...scope, roles },
});

type Case = [rule: string, changes: object[], refused: { reason: string; index: string } & Record<string, string>];

const duplicates: Case[] = [
  ["an organization", [organization("x"), organization("y"), organization("x")], second("1", "3")],
  ["a user", [user("x", "acme"), user("x", "globex")], second("1", "2")],
  ["a project", [project("x", "acme"), project("x", "acme")], second("1", "2")],
  ["a role of a project", [role("shop", "x"), role("depot", "x"), role("shop", "x")], second("1", "3")],
  ["a project grant", [grant("x", "depot", "globex"), grant("x", "depot", "globex")], second("1", "2")],
  [
    "the administrator entry of a user in an instance",
    [administrator("ann", { instance: true }, ["IAM_OWNER"]), administrator("ann", { instance: true }, [])],
    second("1", "2"),
  ],
  [
    "the administrator entry of a user in an organization",
    [
      administrator("ann", { organizationId: "acme" }, ["ORG_OWNER"]),
      administrator("ann", { organizationId: "globex" }, ["ORG_OWNER"]),
      administrator("bob", { organizationId: "acme" }, ["ORG_OWNER"]),
      administrator("ann", { organizationId: "acme" }, ["ORG_OWNER_VIEWER"]),
    ],
    second("1", "4"),
  ],
  [
    "an authorization",
    [authorization("x", "ann", "depot", "acme", [], date), authorization("x", "bob", "depot", "acme", [], date)],
    second("1", "2"),
  ],
];

function second(first: string, again: string) {
  return { reason: "DUPLICATE_CHANGE", index: again, firstIndex: first };
}

const missing: Case[] = [
  ["the organization of a user", [user("x", "nowhere")], at("REFERENCE_NOT_FOUND")],
  ["the owner of a project", [project("x", "nowhere")], at("REFERENCE_NOT_FOUND")],
  ["the project of a role", [role("nothing", "x")], at("REFERENCE_NOT_FOUND")],
  ["the project of a grant", [grant("x", "nothing", "globex")], at("REFERENCE_NOT_FOUND")],
  ["the organization of a grant", [grant("x", "shop", "nowhere")], at("REFERENCE_NOT_FOUND")],
  ["the user of an administrator", [administrator("x", { instance: true }, [])], at("REFERENCE_NOT_FOUND")],
  [
    "the organization of an administrator",
    [administrator("ann", { organizationId: "nowhere" }, ["ORG_OWNER"])],
    at("REFERENCE_NOT_FOUND"),
  ],
  [
    "the project of an administrator",
    [administrator("ann", { projectId: "nothing" }, ["PROJECT_OWNER"])],
    at("REFERENCE_NOT_FOUND"),
  ],
  [
    "the project grant of an administrator",
    [administrator("ann", { projectGrantId: "nothing" }, ["PROJECT_GRANT_OWNER"])],
    at("REFERENCE_NOT_FOUND"),
  ],
  ["the user of an authorization", [authorization("x", "x", "shop", "acme", [], date)], at("REFERENCE_NOT_FOUND")],
  ["its project", [authorization("x", "ann", "nothing", "acme", [], date)], at("REFERENCE_NOT_FOUND")],
  ["its organization", [authorization("x", "ann", "shop", "nowhere", [], date)], at("REFERENCE_NOT_FOUND")],
  [
    "a grant of its project to its organization",
    [authorization("x", "ann", "depot", "globex", [], date)],
    at("REFERENCE_NOT_FOUND"),
  ],
];

const others: Case[] = [
  ["a project changes its owner", [project("depot", "globex")], at("IMMUTABLE_FIELD")],
  ["a grant changes its project", [grant("shop-to-initech", "depot", "initech")], at("IMMUTABLE_FIELD")],
  ["a grant changes its organization", [grant("shop-to-globex", "shop", "acme")], at("IMMUTABLE_FIELD")],
  ["an authorization changes its user", [authorization("a1", "adam", "shop", "acme", [], date)], at("IMMUTABLE_FIELD")],
  [
    "an authorization changes its project",
    [authorization("a1", "ann", "depot", "acme", [], date)],
    at("IMMUTABLE_FIELD"),
  ],
  [
    "an authorization changes its organization",
    [authorization("a1", "ann", "shop", "globex", [], date)],
    at("IMMUTABLE_FIELD"),
  ],
  ["a project is granted to its owner", [grant("x", "depot", "acme")], at("GRANT_TO_OWNER")],
  [
    "a project and its grant to its owner come in one file",
    [grant("x", "new", "initech"), project("new", "initech")],
    at("GRANT_TO_OWNER"),
  ],
  ["there is a grant for the pair already", [grant("x", "shop", "globex")], at("GRANT_EXISTS")],
  [
    "a file has two grants for one pair",
    [grant("x", "depot", "globex"), grant("y", "depot", "globex")],
    at("GRANT_EXISTS"),
  ],
  ["a grant has a key that is no role", [grant("x", "depot", "globex", ["seller"])], at("ROLE_NOT_FOUND")],
  [
    "an authorization holds a key that is no role of the project",
    [authorization("x", "bob", "depot", "acme", ["seller"], date)],
    at("ROLE_NOT_FOUND"),
  ],
  [
    "an authorization holds a role of the project that is not granted",
    [authorization("x", "bea", "shop", "initech", ["seller", "auditor"], date)],
    at("ROLE_NOT_FOUND"),
  ],
  [
    "the user has an authorization there already",
    [authorization("x", "ann", "shop", "acme", [], date)],
    { ...at("AUTHORIZATION_EXISTS"), id: "a1" },
  ],
  [
    "a file has two authorizations for one user, project and organization",
    [authorization("x", "bob", "depot", "acme", [], date), authorization("y", "bob", "depot", "acme", [], date)],
    { ...at("AUTHORIZATION_EXISTS"), id: "y" },
  ],
  [
    "a grant loses a key that an authorization of the file holds",
    [
      authorization("a4", "bob", "shop", "globex", ["auditor"], date),
      grant("shop-to-globex", "shop", "globex", ["seller"]),
    ],
    at("ROLE_NOT_FOUND"),
  ],
];

function at(reason: string) {
  return { reason, index: "1" };
}

/** Whatever else a file holds, a refusal leaves everything as it was. */
async function refusalOf(changes: object[]): Promise<unknown> {
  const before = await stored(database);
  const events = await countEvents(database);
  const error = await database.import(...changes, organization("bystander"), user("ann", "bystander")).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(await stored(database)).toEqual(before);
  expect(await countEvents(database)).toBe(events);
  if (!(error instanceof Refusal)) return error;
  const { what, ...where } = error.metadata;
  if (what !== undefined) expect(what).toBe(error.message);
  expect(error.message).not.toBe("");
  return { reason: error.reason, ...where };
}

describe("naming one thing twice is refused, with both places", () => {
  test.each(duplicates)("%s", async (_rule, changes, refused) => {
    expect(await refusalOf(changes)).toEqual(refused);
  });
});

describe("what does not exist cannot be pointed at", () => {
  test.each(missing)("%s", async (_rule, changes, refused) => {
    expect(await refusalOf(changes)).toEqual(refused);
  });
});

describe("nothing is imported when", () => {
  test.each(others)("%s", async (_rule, changes, refused) => {
    expect(await refusalOf(changes)).toEqual(refused);
  });
});

describe("an administrator role must be known and go with the scope", () => {
  const scopes: [scope: object, itsOwn: string][] = [
    [{ instance: true }, "IAM_LOGIN_CLIENT"],
    [{ organizationId: "acme" }, "ORG_PROJECT_PERMISSION_EDITOR"],
    [{ projectId: "shop" }, "PROJECT_OWNER_VIEWER_GLOBAL"],
    [{ projectGrantId: "shop-to-globex" }, "PROJECT_GRANT_OWNER_VIEWER"],
  ];
  const roles = [...scopes.map(([, itsOwn]) => itsOwn), "IAM_EVERYTHING", "ORG_", "iam_owner", "toString"];
  const wrong = scopes.flatMap(([scope, itsOwn]) =>
    roles.filter((name) => name !== itsOwn).map((name) => [name, scope] as const),
  );
  test.each(wrong)("%s is refused for %j", async (name, scope) => {
    expect(await refusalOf([administrator("ann", scope, [name])])).toEqual({
      reason: "ADMINISTRATOR_ROLE_INVALID",
      role: name,
    });
  });
});
