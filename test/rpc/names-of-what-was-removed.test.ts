import { beforeEach, expect, test } from "vitest";
import { type AdministratorEntry, administrator } from "../support/assign.ts";
import { apply, entry, project, projectGrant, remove } from "../support/changes.ts";
import { bodyOf, serverInTest, type TestServer } from "../support/server.ts";
import { role } from "../support/world.ts";

let server: TestServer;

beforeEach(async () => {
  server = await serverInTest({ smallWorld: true });
  await server.database.load(
    { organization: { id: "north", name: "North" } },
    { user: lea },
    { user: { ...gilWasHere, organizationId: "globex" } },
    entry("lea", { organizationId: "north" }, "ORG_OWNER"),
    project("net", "north"),
    role("net", "guard"),
    projectGrant("net-out", "net", "globex"),
    { authorization: { id: "n1", userId: "lea", projectId: "net", organizationId: "north" } },
    { authorization: { id: "n2", userId: "gil", projectId: "net", organizationId: "north" } },
    { authorization: { id: "n3", userId: "gil", projectId: "net", organizationId: "globex" } },
  );
});

const avatarUrl = "https://north.example/lea.png";
const lea = { id: "lea", organizationId: "north", preferredLoginName: "lea@north", displayName: "Lea", avatarUrl };
const leaWasHere = { ...lea, organizationId: "" };
const nameless = (id: string) => ({ ...leaWasHere, id, preferredLoginName: "", displayName: id, avatarUrl: "" });
const gilWasHere = { ...nameless("gil"), preferredLoginName: "gil", displayName: "" };

const holding = (entry?: AdministratorEntry) => administrator(server.database, entry);
const anywhere = () => holding({ instance: true, roles: ["IAM_OWNER_VIEWER"] });
const inOrganization = (organizationId: string) => holding({ organizationId, roles: ["ORG_OWNER_VIEWER"] });
const onProject = () => holding({ projectId: "net", roles: ["PROJECT_OWNER_VIEWER"] });

async function eventsOf(id: string, token: string, type = "added"): Promise<any[]> {
  const rpc = "authorization.v2.AuthorizationHistoryService/ListAuthorizationEvents";
  const filters = [{ authorizationId: { id } }, { types: { types: [`user.grant.${type}`] } }];
  return (await bodyOf(server.callService(rpc, { filters, pagination: { asc: true } }, { token }))).events;
}

/** The only event of the type that a caller is shown. */
async function eventOf(id: string, token: string, type?: string): Promise<any> {
  const events = await eventsOf(id, token, type);
  expect(events).toHaveLength(1);
  return events[0];
}

async function actorsIn(place: object, token: string): Promise<any[]> {
  const rpc = "directory.v1.DirectoryHistoryService/ListDirectoryEvents";
  const { body } = await server.callService(rpc, { filters: [place, { actorId: { id: "lea" } }] }, { token });
  return body.events.map(({ actor }: any) => actor);
}

test("A removed user of an event has its last names for those who see the removal, and no organization", async () => {
  await server.database.load({ user: { ...lea, displayName: "Léa" } });
  await server.database.load(remove({ userId: "lea" }));
  const last = { ...leaWasHere, displayName: "Léa" };
  expect((await eventOf("n1", await anywhere())).user).toEqual(last);
  expect((await eventOf("n1", await inOrganization("north"))).user).toEqual(last);
  expect((await eventOf("n1", await onProject())).user).toEqual(nameless("lea"));
});

test("Those who see what the user held, but not the user's organization, see the id of a removed user", async () => {
  await server.database.load(remove({ userId: "gil" }));
  expect((await eventOf("n2", await anywhere())).user).toEqual(gilWasHere);
  expect((await eventOf("n2", await inOrganization("north"))).user).toEqual(nameless("gil"));
  expect((await eventOf("n3", await inOrganization("globex"))).user).toEqual(gilWasHere);
});

test("A removed project has its last name for those who see the removal, and no owner", async () => {
  await server.database.load(project("net", "north", "Network"));
  await server.database.load(remove({ projectId: "net" }));
  const last = { id: "net", name: "Network", organizationId: "" };
  expect((await eventOf("n2", await anywhere())).project).toEqual(last);
  expect((await eventOf("n2", await inOrganization("north"))).project).toEqual(last);
  // It was granted to Globex, whose administrators don't see what becomes of it.
  expect((await eventOf("n3", await inOrganization("globex"))).project).toEqual({ ...last, name: "net" });
  expect((await eventOf("n2", await server.database.token("gil"))).project).toEqual({ ...last, name: "net" });
});

test("Only those who see the removal of an erased person learn that the person was erased", async () => {
  await apply(server, await server.database.token("lea"), project("net", "north", "Network"));
  await server.database.load(remove({ userId: "lea" }));
  await server.database.query("select erase_person('lea', '{}', gen_random_uuid(), '')");
  const erased = { ...nameless("lea"), displayName: "" };
  const place = { projectId: { id: "net" } };
  for (const [caller, user] of [
    [await inOrganization("north"), erased],
    [await onProject(), nameless("lea")],
  ] as const) {
    expect((await eventOf("n1", caller)).user).toEqual(user);
    expect(await actorsIn(place, caller)).toEqual([user]);
  }
});
