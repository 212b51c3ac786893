import { beforeEach, expect, test } from "vitest";
import { newActor } from "../../src/authorization/actor.ts";
import { readChange } from "../../src/import-format/changes.ts";
import { postgresImport } from "../../src/postgres/directory/import/import-store.ts";
import { listed } from "../support/assign.ts";
import { eventsOf } from "../support/events.ts";
import { hold } from "../support/locks.ts";
import { bodyOf, serverInTest, type TestServer } from "../support/server.ts";
import { authorization, user } from "../support/world.ts";

let server: TestServer;
let root: string;

beforeEach(async () => {
  server = await serverInTest({ smallWorld: true });
  root = await server.database.token("root");
});

const keysOfInitech = (...roleKeys: string[]) => ({
  projectGrant: { id: "shop-to-initech", projectId: "shop", organizationId: "initech", roleKeys },
});

async function namesOf(id: string): Promise<unknown> {
  const found = await listed(server, id, root);
  return [found.user.displayName, found.roles.map(({ key }: { key: string }) => key)];
}

test("while a file is read, requests change even what it names, and the file has the last word", async () => {
  const { promise: allowed, resolve: goOn } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  async function* slowly() {
    yield read(1, user("bob", "globex", "Robert"));
    yield read(2, authorization("a4", "bob", "shop", "globex", ["auditor"], "2024-01-04T00:00:00Z"));
    begin();
    await allowed;
  }
  const importing = postgresImport({ connectionString: server.database.url }).import(
    newActor(undefined, ""),
    slowly(),
    () => {},
  );
  await begun;
  const update = await bodyOf(server.call("UpdateAuthorization", { id: "a4", roleKeys: [] }, { token: root }));
  expect(await namesOf("a4")).toEqual(["bob of globex", []]);
  goOn();
  await importing;
  expect(await namesOf("a4")).toEqual(["Robert", ["auditor"]]);
  expect(await eventsOf(server.database, "a4")).toMatchObject([
    { type: "user.grant.added" },
    { type: "user.grant.changed", actor_id: "root", time: update.changeDate },
    { type: "user.grant.changed", actor_id: null },
  ]);
});

test("while a file is applied, requests see none of it and change what it does not name", async () => {
  const administrator = { administrator: { userId: "root", instance: true, roles: ["IAM_OWNER"] } };
  const other = await hold(server.database, "select from administrators where user_id = 'root' for update");
  const importing = server.database.import(
    user("bob", "globex", "Robert"),
    user("ann", "acme", "Anna"),
    administrator,
    authorization("a4", "bob", "shop", "globex", ["auditor"], "2024-01-04T00:00:00Z"),
  );
  await other.untilWaiting(1);
  expect(await namesOf("a4")).toEqual(["bob of globex", ["auditor", "seller"]]);
  await bodyOf(server.call("UpdateAuthorization", { id: "a1", roleKeys: ["auditor"] }, { token: root }));
  await other.rollback();
  await importing;
  expect(await namesOf("a4")).toEqual(["Robert", ["auditor"]]);
  expect(await namesOf("a1")).toEqual(["Anna", ["auditor"]]);
});

test("a request that holds an authorization of the file and looks at a key of its grant does not wait in a circle", async () => {
  await server.database.import(keysOfInitech("seller", "owner"));
  const request = await hold(server.database, "select from authorizations where id = 'a6' for update");
  const importing = server.database.import(
    keysOfInitech("seller"),
    authorization("a6", "bob", "shop", "initech", [], "2024-01-06T00:00:00Z"),
  );
  await request.untilWaiting(1);
  await request.query("select from project_grant_roles where project_grant_id = 'shop-to-initech' for key share");
  await request.commit();
  await importing;
  expect(await namesOf("a6")).toEqual(["bob of globex", []]);
});

test("a key that a request assigns while it is removed from the grant is removed again", async () => {
  await server.database.import(keysOfInitech("seller", "owner"));
  const request = await hold(
    server.database,
    `select from projects where id = 'shop' for key share;
    insert into authorization_roles values ('a6', 'shop', 'shop-to-initech', 'owner')`,
  );
  const importing = server.database.import(keysOfInitech("seller"));
  await request.untilWaiting(1);
  await request.commit();
  await importing;
  expect(await namesOf("a6")).toEqual(["bob of globex", ["seller"]]);
  expect((await eventsOf(server.database, "a6")).at(-1)).toMatchObject({
    type: "user.grant.cascade.changed",
    role_keys: ["seller"],
  });
});

test("the change date rises over that of a request that came first", async () => {
  const request = await hold(
    server.database,
    "update authorizations set change_date = '2999-01-01T00:00:00Z' where id = 'a6'",
  );
  const importing = server.database.import(authorization("a6", "bob", "shop", "initech", [], "2024-01-06T00:00:00Z"));
  await request.untilWaiting(1);
  await request.commit();
  await importing;
  expect((await eventsOf(server.database, "a6")).at(-1)).toMatchObject({ time: "2999-01-01T00:00:00.000001Z" });
});

test("an authorization that a request removes while the file waits for it is new again", async () => {
  const request = await hold(server.database, "delete from authorizations where id = 'a6'");
  const importing = server.database.import(
    authorization("a6", "bob", "shop", "initech", ["seller"], "2024-01-06T00:00:00Z"),
  );
  await request.untilWaiting(1);
  await request.commit();
  await importing;
  expect((await eventsOf(server.database, "a6")).map(({ type }) => type)).toEqual([
    "user.grant.added",
    "user.grant.added",
  ]);
});

function read(position: number, change: object) {
  return { position, change: readChange(JSON.stringify(change)) };
}
