import { describe, expect, test } from "vitest";
import { permissionsOfRole, type Scope } from "../../src/authorization/permissions.ts";
import { administrator } from "../support/assign.ts";
import { applyChanges, entry, organization, project, projectGrant, remove, removeRole } from "../support/changes.ts";
import { fingerprint } from "../support/fingerprint.ts";
import { callText, sendRaw } from "../support/raw-http.ts";
import { denied, expectRefusal } from "../support/refusals.ts";
import { errorInfo, serveSmallWorld } from "../support/server.ts";
import { role, user } from "../support/world.ts";

const { server, root } = await serveSmallWorld();

const named = (id: string, userId: string, projectId: string, organizationId: string, ...roleKeys: string[]) => ({
  authorization: { id, userId, projectId, organizationId, roleKeys },
});

/** Whatever else a request holds, a refusal leaves everything as it was. Fails on any other code. */
async function refusalOf(changes: object[]): Promise<unknown> {
  const before = await fingerprint(server.database);
  const answer = await applyChanges(server, root, changes);
  expect(await fingerprint(server.database)).toEqual(before);
  const info = errorInfo(answer);
  const exists = { status: 409, code: "already_exists" };
  expectRefusal(answer, {
    ...(info?.reason === "AUTHORIZATION_EXISTS" ? exists : { status: 400, code: "failed_precondition" }),
    reason: info?.reason ?? "",
    ...(info === undefined ? {} : { metadata: info.metadata }),
  });
  expect(info?.metadata.what).toBe(answer.body.message);
  const { what: _, ...metadata } = info?.metadata ?? {};
  return { reason: info?.reason, ...metadata };
}

/** What a request says beside what it is refused for. */
const bystanders = [organization("bystander"), removeRole("shop", "seller")];

describe("naming one thing twice is DUPLICATE_CHANGE with both indexes", () => {
  const grant = (...keys: string[]) => projectGrant("shop-to-globex", "shop", "globex", ...keys);
  const a1 = (...keys: string[]) => named("a1", "ann", "shop", "acme", ...keys);
  const things: [string, upsert: object, again: object, removal: object][] = [
    ["an organization", organization("x"), organization("x", "X"), remove({ organizationId: "x" })],
    ["a user", user("ann", "acme"), user("ann", "globex"), remove({ userId: "ann" })],
    ["a project", project("shop", "acme"), project("shop", "acme", "X"), remove({ projectId: "shop" })],
    ["a role", role("shop", "owner"), role("shop", "owner", "X"), removeRole("shop", "owner")],
    ["a grant", grant(), grant("seller"), remove({ projectGrantId: "shop-to-globex" })],
    ...[
      { instance: true },
      { organizationId: "acme" },
      { projectId: "shop" },
      { projectGrantId: "shop-to-globex" },
    ].map((scope): [string, object, object, object] => [
      `the entry of a user in ${JSON.stringify(scope)}`,
      entry("ann", scope),
      entry("ann", scope),
      remove({ administrator: { userId: "ann", ...scope } }),
    ]),
    ["an authorization", a1(), a1("owner"), remove({ authorizationId: "a1" })],
    ["what is not there", project("nothing", "acme"), project("nothing", "nowhere"), remove({ projectId: "nothing" })],
  ];

  test.each(things)("%s", async (_what, upsert, again, removal) => {
    const duplicate = (firstIndex: string, index: string) => ({ reason: "DUPLICATE_CHANGE", firstIndex, index });
    expect(await refusalOf([upsert, again])).toEqual(duplicate("0", "1"));
    expect(await refusalOf([removal, ...bystanders, upsert])).toEqual(duplicate("0", "3"));
    expect(await refusalOf([...bystanders, upsert, removal])).toEqual(duplicate("2", "3"));
    expect(await refusalOf([bystanders[0] ?? {}, removal, removal])).toEqual(duplicate("1", "2"));
  });

  test("but one key names as many things as there are kinds and scopes", async () => {
    const scopes = [{ organizationId: "acme" }, { projectId: "shop" }, { instance: true }];
    const changes = [
      ...scopes.map((scope) => entry("cid", scope)),
      ...scopes.map((scope) => remove({ administrator: { userId: "nobody", ...scope } })),
      remove({ organizationId: "same" }),
      remove({ userId: "same" }),
      remove({ projectId: "same" }),
      remove({ projectGrantId: "same" }),
      remove({ authorizationId: "same" }),
      removeRole("same", "same"),
      removeRole("same", "other"),
      removeRole("other", "same"),
    ];
    expect((await applyChanges(server, root, changes)).body).toMatchObject({ applied: changes.length });
  });
});

type Case = [what: string, reason: string, change: object, more?: Record<string, string>];

const reference = "REFERENCE_NOT_FOUND";
const cases: Case[] = [
  ["the organization of a user", reference, user("x", "nowhere")],
  ["an organization that is removed with it", reference, user("x", "initech")],
  ["the owner of a project", reference, project("x", "nowhere")],
  ["the project of a role", reference, role("nothing", "x")],
  ["the project of a grant", reference, projectGrant("x", "nothing", "globex")],
  ["the organization of a grant", reference, projectGrant("x", "depot", "nowhere")],
  ["the user of an entry", reference, entry("x", { instance: true }, "IAM_OWNER")],
  ["the user of an entry that is to be removed", reference, entry("x", { instance: true })],
  ["the organization of an entry", reference, entry("ann", { organizationId: "x" }, "ORG_OWNER")],
  ["the project of an entry", reference, entry("ann", { projectId: "x" }, "PROJECT_OWNER")],
  ["the grant of an entry", reference, entry("ann", { projectGrantId: "shop" }, "PROJECT_GRANT_OWNER")],
  ["the user of an authorization", reference, named("x", "x", "shop", "acme")],
  ["its project", reference, named("x", "bea", "x", "acme")],
  ["its organization", reference, named("x", "bea", "shop", "x")],
  ["a grant of its project to its organization", reference, named("x", "bea", "depot", "globex")],
  ["the owner of a project", "IMMUTABLE_FIELD", project("depot", "globex")],
  ["the project of a grant", "IMMUTABLE_FIELD", projectGrant("shop-to-globex", "depot", "globex")],
  ["the organization of a grant", "IMMUTABLE_FIELD", projectGrant("shop-to-globex", "shop", "acme")],
  ["the user of an authorization", "IMMUTABLE_FIELD", named("a2", "bea", "shop", "acme")],
  ["the project of an authorization", "IMMUTABLE_FIELD", named("a2", "adam", "depot", "acme")],
  ["the organization of an authorization", "IMMUTABLE_FIELD", named("a2", "adam", "shop", "globex")],
  ["a grant to the owner", "GRANT_TO_OWNER", projectGrant("x", "depot", "acme")],
  ["a second grant for the pair", "GRANT_EXISTS", projectGrant("x", "shop", "globex")],
  ["a key that is no role", "ROLE_NOT_FOUND", projectGrant("x", "depot", "globex", "auditor")],
  ["a role that is removed with it", "ROLE_NOT_FOUND", projectGrant("shop-to-globex", "shop", "globex", "seller")],
  ["a role of another project", "ROLE_NOT_FOUND", named("x", "bea", "depot", "acme", "auditor")],
  ["a role that is not granted", "ROLE_NOT_FOUND", named("x", "ann", "shop", "globex", "auditor", "owner")],
  ["a role that is removed", "ROLE_NOT_FOUND", named("a1", "ann", "shop", "acme", "owner", "seller")],
  ["a second authorization for the place", "AUTHORIZATION_EXISTS", named("x", "adam", "depot", "acme"), { id: "a3" }],
];

describe("a request is refused with the index of the change and what is wrong with it", () => {
  test.each(cases)("%s: %s", async (_what, reason, change, more = {}) => {
    const changes = [...bystanders, remove({ organizationId: "initech" }), change];
    expect(await refusalOf(changes)).toEqual({ reason, index: "3", ...more });
  });

  test("two grants for one pair, and two authorizations for one place, in one request", async () => {
    const grants = [projectGrant("x", "depot", "globex"), projectGrant("y", "depot", "globex")];
    expect(await refusalOf(grants)).toMatchObject({ reason: "GRANT_EXISTS" });
    const two = [named("x", "bea", "depot", "acme"), named("y", "bea", "depot", "acme")];
    expect(await refusalOf(two)).toMatchObject({ reason: "AUTHORIZATION_EXISTS" });
  });

  const scopes: [Record<string, unknown>, Scope["kind"], prefix: RegExp][] = [
    [{ instance: true }, "instance", /^IAM_/],
    [{ organizationId: "acme" }, "organization", /^ORG_/],
    [{ projectId: "shop" }, "project", /^PROJECT_(?!GRANT_)/],
    [{ projectGrantId: "shop-to-globex" }, "projectGrant", /^PROJECT_GRANT_/],
  ];

  test.each(scopes)("ADMINISTRATOR_ROLE_INVALID for what does not go with %j", async (scope, _kind, fitting) => {
    const names = [...Object.keys(permissionsOfRole), "IAM_X", "ORG_", "PROJECT_GRANT_", "iam_owner", "constructor"];
    for (const name of names) {
      const changes = [organization("bystander"), entry("ann", scope, name)];
      if (fitting.test(name) && Object.hasOwn(permissionsOfRole, name)) continue;
      expect(await refusalOf(changes)).toEqual({ reason: "ADMINISTRATOR_ROLE_INVALID", index: "1", role: name });
    }
  });

  test("ADMINISTRATOR_ROLE_INVALID for any of several roles that does not go with the scope", async () => {
    for (const roles of [
      ["ORG_OWNER", "IAM_OWNER"],
      ["ORG_OWNER", "ORG_OWNER_VIEWER", "ORG_NOBODY"],
    ]) {
      const refused = { reason: "ADMINISTRATOR_ROLE_INVALID", index: "0", role: roles.at(-1) };
      expect(await refusalOf([entry("ann", { organizationId: "acme" }, ...roles)])).toEqual(refused);
    }
  });

  test.each([
    [{}, "changes[1]"],
    [{ remove: {} }, "changes[1].remove"],
    [{ administrator: { userId: "ann", instance: false } }, "changes[1].administrator.instance"],
    [{ administrator: { userId: "ann" } }, "changes[1].administrator"],
    [{ remove: { administrator: { userId: "ann" } } }, "changes[1].remove.administrator"],
    [{ authorization: { id: "x" } }, "changes[1].authorization.userId"],
    [{ organisation: { id: "x", name: "x" } }, "organisation"],
    [
      { authorization: { ...named("x", "bea", "shop", "acme").authorization, creationDate: "0000-01-01T00:00:00Z" } },
      "",
    ],
  ])("%j is invalid_argument and named", async (change, name) => {
    const before = await fingerprint(server.database);
    const { status, body } = await applyChanges(server, root, [organization("bystander"), change]);
    expect([status, body.code]).toEqual([400, "invalid_argument"]);
    expect(body.message).toContain(name);
    expect(await fingerprint(server.database)).toEqual(before);
  });
});

test("ApplyChanges does not read what a caller without the permission has sent, valid or not, there or not", async () => {
  // As much as one can hold without any permission to change the directory.
  const roles = ["ORG_USER_PERMISSION_EDITOR", "ORG_OWNER_VIEWER"];
  const token = await administrator(server.database, { organizationId: "acme", roles });
  const refusal = denied("directory.write");
  const told = /^a change needs org\.write, user\.write, .* or directory\.write, depending on/;
  for (const body of ["{", '{"nope":1}', '{"changes":[{}]}', "{}", { changes: [organization("x")] }]) {
    const answer = await server.callDirectory("ApplyChanges", body, { token });
    expectRefusal(answer, refusal);
    expect(answer.body.message).toMatch(told);
  }
  const headers = { "content-length": "1000000" };
  const begun = callText(token, { rpc: "directory.v1.DirectoryService/ApplyChanges", sent: "", headers });
  expectRefusal(await sendRaw(server.url, begun), refusal);
  expect((await applyChanges(server, "authz_unknown", [organization("x")])).status).toBe(401);
});
