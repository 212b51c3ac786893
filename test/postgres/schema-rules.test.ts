import { afterAll, describe, expect, test } from "vitest";
import { createSmallWorld } from "../support/database.ts";

const database = await createSmallWorld();
afterAll(() => database.drop());

const unique = "23505";
const foreignKey = "23503";
const check = "23514";
const notNull = "23502";

/** Fails unless Postgres refuses the statement with this SQLSTATE. */
async function expectRefused(state: string, statement: string, values: unknown[] = []): Promise<void> {
  const outcome = await database.query(statement, values).then(
    () => "accepted",
    (error: any) => error.code,
  );
  expect([statement, outcome]).toEqual([statement, state]);
}

const addUser = "insert into users values ($1, $2, $3, $4, $5)";
const addAuthorization = `insert into authorizations (
  id, user_id, user_organization_id, project_id, organization_id, project_grant_id, creation_date, change_date)
  values ($1, $2::text, coalesce((select organization_id from users where id = $2::text), 'acme'), $3, $4, $5, now(), now())`;
const addHeldRole = `insert into authorization_roles (authorization_id, project_id, project_grant_id, role_key)
  values ($1, $2, $3, $4)`;
const addEntry = `insert into administrators (user_id, organization_id, project_id, project_grant_id, roles)
  values ($1, $2, $3, $4, $5)`;
const addToken = "insert into tokens (id, user_id, hash) values ($1, $2, $3)";

describe("Postgres refuses what points at something missing", () => {
  test.each([
    ["a user of no organization", addUser, ["u", "nowhere", "u", "", ""]],
    ["a project of no organization", "insert into projects values ('p', 'nowhere', 'P')", []],
    ["a role of no project", "insert into project_roles values ('nothing', 'key', '', '')", []],
    ["a grant of no project", "insert into project_grants values ('g', 'nothing', 'globex', 'acme')", []],
    ["a grant to no organization", "insert into project_grants values ('g', 'shop', 'nowhere', 'acme')", []],
    ["a grant by who is not the owner", "insert into project_grants values ('g', 'depot', 'globex', 'initech')", []],
    ["a key of no grant", "insert into project_grant_roles values ('nothing', 'shop', 'owner')", []],
    [
      "a key of a grant of another project",
      "insert into project_grant_roles values ('shop-to-globex', 'depot', 'keeper')",
      [],
    ],
    [
      "a key that is no role of the project",
      "insert into project_grant_roles values ('shop-to-globex', 'shop', 'keeper')",
      [],
    ],
    ["an entry of no user", addEntry, ["nobody at all", null, null, null, ["IAM_OWNER"]]],
    ["an entry on no organization", addEntry, ["ann", "nowhere", null, null, ["ORG_OWNER"]]],
    ["an entry on no project", addEntry, ["ann", null, "nothing", null, ["PROJECT_OWNER"]]],
    ["an entry on no grant", addEntry, ["ann", null, null, "nothing", ["PROJECT_GRANT_OWNER"]]],
    ["a token of no user", addToken, ["t", "nobody at all", Buffer.alloc(32)]],
    ["an authorization of no user", addAuthorization, ["x", "nobody at all", "shop", "acme", ""]],
    [
      "an authorization of a user of another organization",
      `insert into authorizations (
        id, user_id, user_organization_id, project_id, organization_id, creation_date, change_date)
       values ('x', 'cid', 'acme', 'shop', 'acme', now(), now())`,
      [],
    ],
    ["an authorization for no project", addAuthorization, ["x", "cid", "nothing", "acme", ""]],
    ["one in an organization that does not own the project", addAuthorization, ["x", "cid", "shop", "globex", ""]],
    ["one in an organization that is none", addAuthorization, ["x", "cid", "shop", "nowhere", ""]],
    ["one on no grant", addAuthorization, ["x", "cid", "shop", "globex", "nothing"]],
    ["one on the grant to another organization", addAuthorization, ["x", "cid", "shop", "globex", "shop-to-initech"]],
    ["one of the owner on a grant", addAuthorization, ["x", "cid", "shop", "acme", "shop-to-globex"]],
    ["one on the grant of another project", addAuthorization, ["x", "cid", "depot", "globex", "shop-to-globex"]],
    ["a held role of no authorization", addHeldRole, ["nothing", "shop", "", "seller"]],
    ["a held role of another project", addHeldRole, ["a1", "depot", "", "keeper"]],
    ["a held role that is not defined", addHeldRole, ["a1", "shop", "", "keeper"]],
    ["a held role as if on a grant", addHeldRole, ["a1", "shop", "shop-to-globex", "auditor"]],
    ["a held role as if on no grant", addHeldRole, ["a5", "shop", "", "owner"]],
    ["a held role that is not in the grant", addHeldRole, ["a5", "shop", "shop-to-globex", "owner"]],
  ])("%s", (_what, statement, values) => expectRefused(foreignKey, statement, values));

  test.each([
    ["an organization that has users", "delete from organizations where id = 'initech'"],
    ["a user that has authorizations", "delete from users where id = 'ann'"],
    ["a project that has roles", "delete from projects where id = 'depot'"],
    ["a grant that has authorizations", "delete from project_grants where id = 'shop-to-initech'"],
    ["a key of a grant that is held", "delete from project_grant_roles where role_key = 'seller'"],
    ["a role that is held", "delete from project_roles where project_id = 'shop' and key = 'owner'"],
    [
      "the key of a role that is held",
      "update project_roles set key = 'x' where project_id = 'shop' and key = 'owner'",
    ],
    [
      "the owner of a project that has authorizations",
      "update projects set organization_id = 'initech' where id = 'depot'",
    ],
    ["the owner of a granted project", "update projects set organization_id = 'initech' where id = 'shop'"],
    ["the organization of an authorization", "update authorizations set organization_id = 'globex' where id = 'a1'"],
    ["the project of an authorization with roles", "update authorizations set project_id = 'depot' where id = 'a1'"],
  ])("and does not take it away or move it: %s", (_what, statement) => expectRefused(foreignKey, statement));
});

describe("Postgres keeps at most one", () => {
  test.each([
    ["organization of an id", "insert into organizations values ('acme', 'Other')", []],
    ["user of an id", addUser, ["ann", "acme", "other", "", ""]],
    ["project of an id", "insert into projects values ('shop', 'globex', 'Other')", []],
    ["role of a project and key", "insert into project_roles values ('shop', 'seller', '', '')", []],
    ["grant of an id", "insert into project_grants values ('shop-to-globex', 'depot', 'globex', 'acme')", []],
    ["grant of a project to an organization", "insert into project_grants values ('g', 'shop', 'globex', 'acme')", []],
    ["key of a grant", "insert into project_grant_roles values ('shop-to-globex', 'shop', 'seller')", []],
    ["authorization of an id", addAuthorization, ["a1", "cid", "shop", "acme", ""]],
    ["authorization of a user, project and organization", addAuthorization, ["x", "ann", "shop", "acme", ""]],
    ["the same on a grant, active or not", addAuthorization, ["x", "bea", "shop", "globex", "shop-to-globex"]],
    ["held role of a key", addHeldRole, ["a1", "shop", "", "seller"]],
    ["entry of a user on the instance", addEntry, ["root", null, null, null, ["IAM_OWNER_VIEWER"]]],
  ])("%s", (_what, statement, values) => expectRefused(unique, statement, values));

  test("entry of a user in each scope, and entries in different ones", async () => {
    for (const scope of [
      ["acme", null, null],
      [null, "shop", null],
      [null, null, "shop-to-globex"],
      [null, null, null],
    ]) {
      await database.query(addEntry, ["cid", ...scope, ["ANY"]]);
      await expectRefused(unique, addEntry, ["cid", ...scope, ["OTHER"]]);
      await database.query(addEntry, ["nobody", ...scope, ["ANY"]]);
    }
  });

  test("token of a hash and of an id", async () => {
    await database.query(addToken, ["token", "ann", Buffer.alloc(32, 1)]);
    await expectRefused(unique, addToken, ["other", "bob", Buffer.alloc(32, 1)]);
    await expectRefused(unique, addToken, ["token", "ann", Buffer.alloc(32, 2)]);
  });
});

describe("Postgres refuses values out of bounds", () => {
  const letter = "\u{1f600}";
  const long = "x".repeat(201);

  test.each([
    ["a grant to the owner", "insert into project_grants values ('g', 'depot', 'acme', 'acme')", []],
    ["an organization without a name", "insert into organizations values ('x', '')", []],
    ["an organization of a long name", "insert into organizations values ('x', $1)", [long]],
    ["a project without a name", "insert into projects values ('x', 'acme', '')", []],
    ["a project of a long name", "insert into projects values ('x', 'acme', $1)", [long]],
    ["a user without a login name", addUser, ["x", "acme", "", "", ""]],
    ["a user of a long login name", addUser, ["x", "acme", long, "", ""]],
    ["a user of a long display name", addUser, ["x", "acme", "x", long, ""]],
    ["a user of a long avatar URL", addUser, ["x", "acme", "x", "", "x".repeat(2_049)]],
    ["a role of a long display name", "insert into project_roles values ('shop', 'x', $1, '')", [long]],
    ["a role of a long group", "insert into project_roles values ('shop', 'x', '', $1)", [long]],
    ["an entry without roles", addEntry, ["adam", null, null, null, []]],
    ["an entry in two scopes", addEntry, ["adam", "acme", "shop", null, ["ANY"]]],
    ["an entry in three scopes", addEntry, ["adam", "acme", "shop", "shop-to-globex", ["ANY"]]],
    ["a short token hash", addToken, ["x", "ann", Buffer.alloc(31)]],
    ["a long token hash", addToken, ["x", "ann", Buffer.alloc(33)]],
  ])("%s", (_what, statement, values) => expectRefused(check, statement, values));

  test("names are counted in characters", async () => {
    await database.query("insert into organizations values ('wide', $1)", [letter.repeat(200)]);
    await database.query(addUser, ["wide", "wide", letter.repeat(200), letter.repeat(200), "x".repeat(2_048)]);
    await database.query("insert into project_roles values ('depot', 'wide', $1, $1)", [letter.repeat(200)]);
    await expectRefused(check, "insert into organizations values ('wider', $1)", [letter.repeat(201)]);
  });

  test("ids and keys have 1 to 200 characters and at most 600 bytes", async () => {
    for (const id of ["", long, letter.repeat(151), `${letter.repeat(150)}x`]) {
      await expectRefused(check, "select $1::identifier", [id]);
    }
    for (const id of ["x", "x".repeat(200), "ä".repeat(200), "字".repeat(200), letter.repeat(150)]) {
      await database.query("select $1::identifier", [id]);
    }
  });

  test("a thing whose every id has 600 bytes fits into every index", async () => {
    const [org, owner, user, project, grant, key, id] = [..."äöüßéñø"].map((end) => `${"字".repeat(199)}${end}`);
    await database.load(
      { organization: { id: owner, name: "Owner" } },
      { organization: { id: org, name: "Other" } },
      { user: { id: user, organizationId: org, preferredLoginName: "wide" } },
      { project: { id: project, organizationId: owner, name: "Wide" } },
      { projectRole: { projectId: project, key } },
      { projectGrant: { id: grant, projectId: project, organizationId: org, roleKeys: [key] } },
      { administrator: { userId: user, projectGrantId: grant, roles: ["PROJECT_GRANT_OWNER"] } },
      { authorization: { id, userId: user, projectId: project, organizationId: org, roleKeys: [key] } },
    );
    expect(await database.query("select from events where authorization_id = $1", [id])).toHaveLength(1);
  });

  test("dates that protobuf cannot say or that Postgres alone knows", async () => {
    for (const date of ["infinity", "-infinity", "10000-01-01T00:00:00Z", "0001-12-31T23:59:59Z BC"]) {
      for (const column of ["creation_date", "change_date"]) {
        await expectRefused(check, `update authorizations set ${column} = $1 where id = 'a1'`, [date]);
      }
      await expectRefused(check, "select $1::instant", [date]);
    }
    for (const date of ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z"]) {
      await database.query("select $1::instant", [date]);
    }
  });

  test("an unknown state, and an authorization without one of its parts", async () => {
    await expectRefused("22P02", "update authorizations set state = 'unspecified' where id = 'a1'");
    for (const column of ["user_id", "project_id", "organization_id", "project_grant_id", "state", "change_date"]) {
      await expectRefused(notNull, `update authorizations set ${column} = null where id = 'a1'`);
    }
  });
});
