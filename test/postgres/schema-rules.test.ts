import { expect, test } from "vitest";
import { smallWorldOfTests } from "../support/database.ts";

// docs/schema.txt shows every rule of the schema, and its check finds what differs.

const database = await smallWorldOfTests();

test("ids and keys have 1 to 200 characters and at most 600 bytes", async () => {
  const letter = "\u{1f600}";
  for (const id of ["", "x".repeat(201), letter.repeat(151), `${letter.repeat(150)}x`]) {
    await expect(database.query("select $1::identifier", [id])).rejects.toMatchObject({ code: "23514" });
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
