import { expect, test } from "vitest";
import { listed } from "../support/assign.ts";
import { eventsOf } from "../support/events.ts";
import { type Answer, serveSmallWorld } from "../support/server.ts";
import { person, role, user } from "../support/world.ts";

let made = 0;

const { server, root } = await serveSmallWorld();

/** A user of Initech without any authorization. */
async function newUser(): Promise<string> {
  made += 1;
  await server.database.load(user(`new-${made}`, "initech"));
  return `new-${made}`;
}

function create(request: object, token = root): Promise<Answer> {
  return server.call("CreateAuthorization", request, { token });
}

const date = /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.(\d{3}){1,2})?Z$/;

test("CreateAuthorization answers the id and the creation date, and starts active, also for users of other organizations", async () => {
  const userId = await newUser();
  const place = { projectId: "shop", organizationId: "acme" };
  const { status, headers, body } = await create({ userId, ...place, roleKeys: ["seller", "auditor"] });
  expect([status, headers.get("content-type")]).toEqual([200, "application/json"]);
  expect(body).toEqual({ id: expect.stringMatching(/^\S{1,200}$/), creationDate: expect.stringMatching(date) });
  expect(await listed(server, body.id, root)).toEqual({
    id: body.id,
    creationDate: body.creationDate,
    changeDate: body.creationDate,
    expired: false,
    project: { id: "shop", name: "Shop", organizationId: "acme" },
    organization: { id: "acme", name: "Acme" },
    user: person(userId, "initech"),
    state: "STATE_ACTIVE",
    roles: [
      { key: "auditor", displayName: "Auditor", group: "control" },
      { key: "seller", displayName: "Seller", group: "staff" },
    ],
  });
});

test("up to 1000 role keys are taken, and shown and recorded by code point", async () => {
  const odd = ["\u{1f600}", "\u{ffee}", "ä", "Z", "a", "NULL", '"', "\\", "{,}"];
  const keys = [...odd, ...Array.from({ length: 991 }, (_, index) => `key-${index}`)];
  await server.database.load(...keys.map((key) => role("depot", key)));
  const request = { userId: await newUser(), projectId: "depot", organizationId: "acme" };
  expect((await create({ ...request, roleKeys: [...keys, "keeper"] })).body.code).toBe("invalid_argument");
  const { body } = await create({ ...request, roleKeys: keys });
  const sorted = keys.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  expect((await listed(server, body.id, root)).roles.map(({ key }: { key: string }) => key)).toEqual(sorted);
  expect((await eventsOf(server.database, body.id))[0]?.role_keys).toEqual(sorted);
});

test("ids are in the order of creation", async () => {
  const place = { projectId: "depot", organizationId: "acme" };
  const ids: string[] = [];
  for (let count = 0; count < 8; count += 1) ids.push((await create({ userId: await newUser(), ...place })).body.id);
  expect([...new Set(ids)].sort()).toEqual(ids);
});
