import { expect, test } from "vitest";
import { listed } from "../support/assign.ts";
import { eventsOf } from "../support/events.ts";
import { type Answer, serveTests } from "../support/server.ts";
import { person, role, user } from "../support/world.ts";

let made = 0;

const server = await serveTests({ smallWorld: true });
const root = await server.database.token("root");

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

test("CreateAuthorization answers the id and the creation date, and nothing else", async () => {
  const place = { projectId: "shop", organizationId: "acme" };
  const answer = await create({ userId: await newUser(), ...place, roleKeys: ["owner"] });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(answer.body).toEqual({ id: expect.stringMatching(/^\S{1,200}$/), creationDate: expect.stringMatching(date) });
});

test("it starts active, with the change date of its creation; users of other organizations can be assigned", async () => {
  const userId = await newUser();
  const roleKeys = ["seller", "auditor"];
  const { body } = await create({ userId, projectId: "shop", organizationId: "acme", roleKeys });
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

test("the id is made by the server, ordered by time", async () => {
  const ids: string[] = [];
  const dates: string[] = [];
  for (let count = 0; count < 8; count += 1) {
    const { body } = await create({ userId: await newUser(), projectId: "depot", organizationId: "acme" });
    ids.push(body.id);
    dates.push(body.creationDate);
  }
  expect(new Set(ids).size).toBe(8);
  expect(ids.toSorted()).toEqual(ids);
  expect(dates.toSorted()).toEqual(dates);
});
