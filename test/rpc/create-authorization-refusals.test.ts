import { describe, expect, test } from "vitest";
import { type AdministratorEntry, administrator } from "../support/assign.ts";
import { fingerprint } from "../support/fingerprint.ts";
import {
  denied,
  type ExpectedRefusal,
  exists,
  expectRefusal,
  precondition,
  rolesNotFound,
} from "../support/refusals.ts";
import { type Answer, serveSmallWorld } from "../support/server.ts";

const { server, root } = await serveSmallWorld();

function create(request: object, token = root): Promise<Answer> {
  return server.call("CreateAuthorization", request, { token });
}

const userNotFound = precondition("USER_NOT_FOUND");
const organizationNotFound = precondition("ORGANIZATION_NOT_FOUND");
const projectNotGranted = precondition("PROJECT_NOT_GRANTED");
const writeDenied = denied("user.grant.write");

const owned = { projectId: "shop", organizationId: "acme" };
const granted = { projectId: "shop", organizationId: "globex" };
const grantedToAnother = { projectId: "shop", organizationId: "initech" };
const notGranted = { projectId: "depot", organizationId: "globex" };
const unknownProject = { projectId: "nothing", organizationId: "globex" };
const unknownOrganization = { projectId: "shop", organizationId: "nowhere" };
const places = { owned, granted, grantedToAnother, notGranted, unknownProject, unknownOrganization };
type Where = keyof typeof places;

describe("without user.grant.write there the answer is PERMISSION_DENIED, whatever exists", () => {
  const everywhere = Object.keys(places) as Where[];
  const inGlobex: Where[] = ["granted", "notGranted", "unknownProject"];
  /** One role for each scope: change-permissions.test.ts has them all. */
  const callers: [AdministratorEntry | undefined, Where[]][] = [
    [undefined, []],
    [{ instance: true, roles: ["IAM_OWNER"] }, everywhere],
    [{ instance: true, roles: ["IAM_OWNER_VIEWER"] }, []],
    [{ organizationId: "acme", roles: ["ORG_OWNER"] }, ["owned"]],
    [{ organizationId: "globex", roles: ["ORG_OWNER"] }, inGlobex],
    [{ projectId: "shop", roles: ["PROJECT_OWNER"] }, ["owned"]],
    // Of a project that is granted to nobody.
    [{ projectId: "depot", roles: ["PROJECT_OWNER"] }, []],
    [{ projectGrantId: "shop-to-globex", roles: ["PROJECT_GRANT_OWNER"] }, ["granted"]],
    [{ projectGrantId: "shop-to-initech", roles: ["PROJECT_GRANT_OWNER"] }, ["grantedToAnother"]],
  ];

  test.each(callers)("%j may create in %j", async (entry, allowed) => {
    const token = await administrator(server.database, entry);
    for (const [where, place] of Object.entries(places)) {
      const mayCreate = allowed.includes(where as Where);
      // What would be refused at last, at first, and not at all.
      for (const [userId, roleKeys] of [
        ["no such user", ["no such role"]],
        ["ann", []],
        ["cid", ["no such role"]],
      ]) {
        const answer = await create({ userId, roleKeys, ...place }, token);
        if (!mayCreate) expectRefusal(answer, writeDenied);
        else if (userId === "no such user") expectRefusal(answer, userNotFound);
        else if (answer.status !== 200) expect(answer.body.code).not.toBe("permission_denied");
      }
    }
  });
});

describe("of the preconditions the first failing wins, then comes the uniqueness", () => {
  const tooLong = "\u{1f600}".repeat(200);
  const cases: [string, object, ExpectedRefusal][] = [
    ["the user before all", { userId: "x", organizationId: "x", projectId: "x", roleKeys: ["x"] }, userNotFound],
    ["an id longer than any that can be stored", { userId: tooLong, ...owned }, userNotFound],
    [
      "the organization before the project",
      { userId: "cid", organizationId: "x", projectId: "x", roleKeys: ["x"] },
      organizationNotFound,
    ],
    ["one too long", { userId: "cid", projectId: "shop", organizationId: tooLong }, organizationNotFound],
    ["the project before the roles", { userId: "cid", ...unknownProject, roleKeys: ["x"] }, projectNotGranted],
    ["one too long too", { userId: "cid", projectId: tooLong, organizationId: "acme" }, projectNotGranted],
    ["the roles before the uniqueness", { userId: "ann", ...owned, roleKeys: ["x"] }, rolesNotFound("x")],
    ["the one there is", { userId: "ann", ...owned, roleKeys: ["seller"] }, exists("a1")],
  ];

  test.each(cases)("%s", async (_what, request, refusal) => {
    const before = await fingerprint(server.database);
    expectRefusal(await create({ roleKeys: [], ...request }), refusal);
    expect(await fingerprint(server.database)).toEqual(before);
  });

  test("one answer for a project that is unknown and one that is not granted", async () => {
    const [unknown, ungranted] = await Promise.all(
      [unknownProject, notGranted].map((place) => create({ userId: "cid", ...place, roleKeys: ["x"] })),
    );
    expect(unknown?.body).toEqual(ungranted?.body);
  });
});

test("every field that is missing is named at once", async () => {
  const { status, body } = await create({ roleKeys: ["x", "x", ""] });
  expect([status, body.code]).toEqual([400, "invalid_argument"]);
  for (const name of ["userId", "projectId", "organizationId", "roleKeys"]) expect(body.message).toContain(name);
  expect((await create({ userId: "x".repeat(201), ...owned })).body.code).toBe("invalid_argument");
});
