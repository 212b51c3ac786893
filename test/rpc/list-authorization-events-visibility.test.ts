import { describe, expect, test } from "vitest";
import { type AdministratorEntry, administrator } from "../support/assign.ts";
import { project, projectGrant, remove } from "../support/changes.ts";
import { expectRefusal, notFound } from "../support/refusals.ts";
import { bodyOf, serveTests } from "../support/server.ts";
import { authorization, role, user } from "../support/world.ts";

const server = await serveTests({ smallWorld: true });

const path = "authorization.v2.AuthorizationHistoryService/ListAuthorizationEvents";

/** What a caller is shown, oldest first, with and without its total, which must not count anything else. */
async function seen(token: string, ...filters: object[]): Promise<string[]> {
  const ask = (pagination: object) => {
    const request = { filters, pagination: { asc: true, ...pagination } };
    return bodyOf(server.callService(path, request, { token }));
  };
  const whole = await ask({});
  const names = whole.events.map((event: any) => `${event.authorizationId} ${event.type.replace("user.grant.", "")}`);
  expect(whole.pagination.totalResult).toBe(names.length);
  expect((await ask({ offset: 1_000 })).pagination.totalResult).toBe(names.length);
  expect((await ask({ skipTotal: true })).events).toEqual(whole.events);
  return names;
}

const everything: AdministratorEntry = { instance: true, roles: ["IAM_OWNER"] };
const inAcme: AdministratorEntry = { organizationId: "acme", roles: ["ORG_OWNER"] };
const inGlobex: AdministratorEntry = { organizationId: "globex", roles: ["ORG_OWNER"] };

const holding = (entry?: AdministratorEntry) => administrator(server.database, entry);
const ids = async (entry: AdministratorEntry, ...filters: object[]) =>
  (await seen(await holding(entry), ...filters)).map((name) => name.split(" ")[0]);

describe("An event of a removed authorization is seen by the rights of today where it was", () => {
  test("and not by those of another project or grant that has the id of the old one", async () => {
    await server.database.load(
      project("kiosk", "acme"),
      role("kiosk", "guard"),
      projectGrant("kiosk-out", "kiosk", "globex"),
      { authorization: { id: "k1", userId: "ann", projectId: "kiosk", organizationId: "acme" } },
      { authorization: { id: "k2", userId: "bob", projectId: "kiosk", organizationId: "globex" } },
    );
    await server.database.load(remove({ projectId: "kiosk" }));
    await server.database.load(project("kiosk", "globex"), projectGrant("kiosk-out", "kiosk", "initech"));
    // Globex owns the project today. It is another one than the one that k2 was for.
    const ofProject = { projectId: "kiosk", roles: ["PROJECT_OWNER"] };
    const ofGrant = { projectGrantId: "kiosk-out", roles: ["PROJECT_GRANT_OWNER"] };
    const ofKiosk = { projectId: { id: "kiosk" } };
    expect(await ids(ofProject)).toEqual([]);
    expect(await ids(ofProject, ofKiosk)).toEqual([]);
    expect(await ids(ofProject, { organizationId: { id: "acme" } })).toEqual([]);
    expect(await ids(inGlobex, ofKiosk)).toEqual(["k2", "k2"]);
    expect(await ids(ofGrant)).toEqual([]);
    expect(await ids(inAcme, ofKiosk)).toEqual(["k1", "k1"]);
    // Whoever sees everything finds it by the project wherever it ever was.
    expect((await ids(everything, ofKiosk)).sort()).toEqual(["k1", "k1", "k2", "k2"]);
    // Nor does anyone else learn by deleting it once more that it was removed.
    const again = async (id: string, entry: AdministratorEntry) =>
      server.call("DeleteAuthorization", { id }, { token: await holding(entry) });
    for (const id of ["k1", "k2"])
      for (const entry of [ofProject, ofGrant]) expectRefusal(await again(id, entry), notFound);
    expect([(await again("k1", everything)).status, (await again("k2", inGlobex)).status]).toEqual([200, 200]);
  });

  test("and not by those of another grant to that organization, or of one with the old id elsewhere", async () => {
    await server.database.load(
      project("stall", "acme"),
      project("booth", "acme"),
      projectGrant("stall-out", "stall", "globex"),
      { authorization: { id: "s1", userId: "ann", projectId: "stall", organizationId: "globex" } },
    );
    const before = { projectGrantId: "stall-out", roles: ["PROJECT_GRANT_OWNER"] };
    expect(await ids(before)).toEqual(["s1"]);
    await server.database.load(remove({ projectGrantId: "stall-out" }));
    await server.database.load(
      projectGrant("stall-again", "stall", "globex"),
      projectGrant("stall-out", "booth", "globex"),
    );
    for (const projectGrantId of ["stall-again", "stall-out"]) {
      expect(await ids({ projectGrantId, roles: ["PROJECT_GRANT_OWNER"] })).toEqual([]);
    }
    // The grant is there again as it was, but it is another one.
    await server.database.load(remove({ projectGrantId: "stall-out" }), remove({ projectGrantId: "stall-again" }));
    await server.database.load(projectGrant("stall-out", "stall", "globex"));
    expect(await ids(before)).toEqual([]);
  });

  test("and an id that was added again elsewhere doesn't show its earlier history there", async () => {
    const place = { userId: "cid", projectId: "shop", roleKeys: [] };
    await server.database.load({ authorization: { id: "moved", ...place, organizationId: "globex" } });
    await server.database.load(remove({ authorizationId: "moved" }));
    await server.database.load({ authorization: { id: "moved", ...place, userId: "bea", organizationId: "acme" } });
    const filter = { authorizationId: { id: "moved" } };
    const of = async (organizationId: string) => seen(await holding({ organizationId, roles: ["ORG_OWNER"] }), filter);
    expect(await of("globex")).toEqual(["moved added", "moved removed"]);
    expect(await of("acme")).toEqual(["moved added"]);
    expect(await seen(await server.database.token("cid"), filter)).toEqual(["moved added", "moved removed"]);
    expect(await seen(await server.database.token("bea"), filter)).toEqual(["moved added"]);
  });
});

describe("An event tells no name that the caller may not see today:", () => {
  /** The last event of an authorization as it is told to who has this entry. */
  async function lastOf(id: string, entry: AdministratorEntry): Promise<any> {
    const filters = [{ authorizationId: { id } }, { types: { types: ["user.grant.added"] } }];
    const { body } = await server.callService(path, { filters }, { token: await holding(entry) });
    return body.events[0];
  }

  const date = "2024-01-01T00:00:00Z";

  /** Acme's project, granted to Globex with two roles, and an authorization on each side. */
  function market(id: string): Promise<unknown> {
    return server.database.load(
      project(id, "acme", "Market"),
      role(id, "buyer", "Buyer", "guests"),
      role(id, "guide", "Guide", "staff"),
      projectGrant(`${id}-out`, id, "globex", "buyer", "guide"),
      authorization(`${id}1`, "ann", id, "acme", ["guide"], date),
      authorization(`${id}2`, "bob", id, "globex", ["buyer", "guide"], date),
    );
  }

  test("of a role whose key the grant has lost", async () => {
    await market("m");
    await server.database.load(projectGrant("m-out", "m", "globex", "buyer"), role("m", "guide", "Secret", "secret"));
    const { project: told, roles } = await lastOf("m2", inGlobex);
    expect(told).toEqual({ id: "m", name: "Market", organizationId: "acme" });
    expect(roles).toEqual([
      { key: "buyer", displayName: "Buyer", group: "guests" },
      { key: "guide", displayName: "guide", group: "" },
    ]);
    // The owner needs no grant to use it.
    const { roles: ofOwner } = await lastOf("m1", inAcme);
    expect(ofOwner).toEqual([{ key: "guide", displayName: "Secret", group: "secret" }]);
  });

  test("of a project whose grant is gone, nor of its roles", async () => {
    await market("n");
    await server.database.load(remove({ projectGrantId: "n-out" }), project("n", "acme", "Secret"));
    const nameless = {
      project: { id: "n", name: "n", organizationId: "" },
      roles: [
        { key: "buyer", displayName: "buyer", group: "" },
        { key: "guide", displayName: "guide", group: "" },
      ],
    };
    expect(await lastOf("n2", inGlobex)).toMatchObject(nameless);
    // Neither when it is granted again otherwise, or when the id of the grant is another one's.
    await server.database.load(
      projectGrant("n-again", "n", "globex", "buyer", "guide"),
      projectGrant("n-out", "n", "initech", "buyer", "guide"),
    );
    expect(await lastOf("n2", inGlobex)).toMatchObject(nameless);
    expect((await lastOf("n1", everything)).project.name).toBe("Secret");
  });

  test("of a project that another organization created again with the id", async () => {
    await market("o");
    await server.database.load(remove({ projectId: "o" }));
    await server.database.load(project("o", "globex", "Secret"), role("o", "guide", "Secret", "secret"));
    const ofAcme = await lastOf("o1", inAcme);
    expect(ofAcme.project).toEqual({ id: "o", name: "Market", organizationId: "" });
    expect(ofAcme.roles).toEqual([{ key: "guide", displayName: "guide", group: "" }]);
    // Globex had it by a grant, which is not how it has it today.
    expect((await lastOf("o2", inGlobex)).project).toEqual({ id: "o", name: "o", organizationId: "" });
  });

  test("of a user that has moved away, except to callers who may write", async () => {
    const away = { id: "leo", preferredLoginName: "leo@initech.example", displayName: "leo of initech" };
    const gone = { id: "leo", preferredLoginName: "", displayName: "leo", avatarUrl: "", organizationId: "" };
    const viewer: AdministratorEntry = { organizationId: "globex", roles: ["ORG_OWNER_VIEWER"] };
    await server.database.load(user("leo", "globex"), {
      authorization: { id: "l1", userId: "leo", projectId: "shop", organizationId: "globex" },
    });
    await server.database.load(user("leo", "initech"));
    expect((await lastOf("l1", viewer)).user).toMatchObject(away);
    await server.database.load(remove({ authorizationId: "l1" }));
    expect((await lastOf("l1", viewer)).user).toEqual(gone);
    const ofGrant = { projectGrantId: "shop-to-globex", roles: ["PROJECT_GRANT_OWNER_VIEWER"] };
    expect((await lastOf("l1", ofGrant)).user).toEqual(gone);
    expect((await lastOf("l1", inGlobex)).user).toMatchObject(away);
    expect((await lastOf("l1", { instance: true, roles: ["IAM_OWNER_VIEWER"] })).user).toMatchObject(away);
    // It is back, and so one of the users of an organization that the caller reads.
    await server.database.load(user("leo", "globex"));
    expect((await lastOf("l1", viewer)).user.displayName).toBe("leo of globex");
  });
});
