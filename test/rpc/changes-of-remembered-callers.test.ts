import { beforeEach, describe, expect, test } from "vitest";
import { administrator, assign, listed } from "../support/assign.ts";
import { smallWorldOfTests } from "../support/database.ts";
import { eventsOf } from "../support/events.ts";
import { hold } from "../support/locks.ts";
import { expectRefusal, notFound, unauthenticated } from "../support/refusals.ts";
import { type Answer, bodyOf, serveTests } from "../support/server.ts";
import { recorderOfTests } from "../support/statement-recorder.ts";

// docs/internals/locks.md: a change is made for a caller who has the rights by which it was judged.

const database = await smallWorldOfTests();
const recorder = await recorderOfTests(database.url);
const server = await serveTests({ database: { ...database, url: recorder.url } });
const root = await database.token("root");

let token: string;
let id: string;

/** An administrator of Globex whom the server remembers, and an assignment there. */
beforeEach(async () => {
  token = await administrator(database, { organizationId: "globex", roles: ["ORG_OWNER"] });
  ({ id } = await assign(database, { organizationId: "globex" }));
  expect((await server.call("ListAuthorizations", {}, { token })).status).toBe(200);
});

const hash = () => [`\\x${Buffer.from(token).toString("hex")}`];

test("A change takes two statements", async () => {
  let created = "";
  const during = (rpc: string, request: object) =>
    recorder.during(async () => {
      created = (await bodyOf(server.call(rpc, request, { token }))).id ?? created;
    });
  const place = { userId: "ann", projectId: "shop", organizationId: "globex", roleKeys: ["seller"] };
  expect(await during("CreateAuthorization", place)).toHaveLength(2);
  expect(await during("UpdateAuthorization", { id: created, roleKeys: ["auditor"] })).toHaveLength(2);
  expect(await during("DeactivateAuthorization", { id: created })).toHaveLength(2);
  expect(await during("BatchUpdateAuthorizations", { items: [{ id: created }, { id }] })).toHaveLength(2);
  expect(await during("DeleteAuthorization", { id: created })).toHaveLength(2);
});

/** Takes rights away after a change was judged, and before its statement begins. */
async function meanwhile(statement: string, values: unknown[], change: () => Promise<Answer>): Promise<Answer> {
  const held = await hold(database, "lock table events in share mode");
  const changing = change();
  await held.untilWaiting(1);
  await held.query(statement, values);
  await held.commit();
  return changing;
}

describe.each<[string, () => [string, object]]>([
  ["a change", () => ["UpdateAuthorization", { id, roleKeys: ["auditor"] }]],
  [
    "an assignment",
    () => ["CreateAuthorization", { userId: "cid", projectId: "shop", organizationId: "globex", roleKeys: [] }],
  ],
])("When rights are taken away while %s is on its way,", (_, request) => {
  const change = () => server.call(...request(), { token });

  test("it isn't made with a revoked token", async () => {
    expectRefusal(await meanwhile("delete from tokens where hash = sha256($1)", hash(), change), unauthenticated);
    expect(await eventsOf(database, id)).toHaveLength(1);
  });

  test("it isn't made without the entry that allowed it", async () => {
    const removal = "delete from administrators where user_id = (select user_id from tokens where hash = sha256($1))";
    expect((await meanwhile(removal, hash(), change)).status).toBeGreaterThan(400);
    expect(await eventsOf(database, id)).toHaveLength(1);
  });
});

describe("When the entries of a caller who was looked up for a change are others meanwhile,", () => {
  const change = () => server.call("UpdateAuthorization", { id, roleKeys: ["auditor"] }, { token });
  const user = "(select user_id from tokens where hash = sha256($1))";

  beforeEach(async () => {
    token = await administrator(database, { organizationId: "globex", roles: ["ORG_OWNER"] });
  });

  const more = (organizationId: string) =>
    `insert into administrators (user_id, organization_id, roles) values (${user}, '${organizationId}', '{ORG_OWNER}')`;

  test("it is made if they still allow it", async () => {
    expect((await meanwhile(more("acme"), hash(), change)).status).toBe(200);
    expect(await eventsOf(database, id)).toHaveLength(2);
  });

  test("it is made if they change again before it is made with the new ones", async () => {
    const lock = "lock table events in share mode";
    const first = await hold(database, lock);
    const changing = change();
    await first.untilWaiting(1);
    const next = hold(database, lock);
    await first.untilWaiting(2);
    await first.query(more("acme"), hash());
    await first.commit();
    const second = await next;
    await second.untilWaiting(1);
    await second.query(more("initech"), hash());
    await second.commit();
    expect((await changing).status).toBe(200);
  });

  test("it is refused if they don't", async () => {
    expectRefusal(await meanwhile(`delete from administrators where user_id = ${user}`, hash(), change), notFound);
  });
});

test("A batch of several rounds isn't made with a revoked token, and once with a valid one", async () => {
  const items = [["auditor"], ["seller"]].map((roleKeys) => ({ id, roleKeys }));
  const change = () => server.call("BatchUpdateAuthorizations", { items }, { token });
  expect((await change()).status).toBe(200);
  expect(await eventsOf(database, id)).toHaveLength(3);
  await database.query("delete from tokens where hash = sha256($1)", hash());
  expectRefusal(await change(), unauthenticated);
  expect(await eventsOf(database, id)).toHaveLength(3);
});

test("What a remembered caller can't see is looked for once more, with the rights of now", async () => {
  const other = await assign(database);
  expectRefusal(await server.call("UpdateAuthorization", { id: other.id }, { token }), notFound);
  expect((await listed(server, other.id, root)).roles).toHaveLength(1);
});
