import { beforeAll, describe, expect, test } from "vitest";
import { appendEvents } from "../support/append-events.ts";
import { apply, remove, removeRole } from "../support/changes.ts";
import { type Answer, errorInfo, serveTests } from "../support/server.ts";
import { role } from "../support/world.ts";

const server = await serveTests({ smallWorld: true });
const root = await server.database.token("root");

function list(request: object | string, token = root): Promise<Answer> {
  return server.callService("authorization.v2.AuthorizationHistoryService/ListAuthorizationEvents", request, { token });
}

const of = (...filters: object[]) => list({ filters });
const told = ({ status, body }: Answer) => {
  expect({ status, message: body.message }).toEqual({ status: 200, message: undefined });
  expect(body.pagination.totalResult).toBe(body.events.length);
  return body.events.map((event: any) => `${event.authorizationId} ${event.type.replace("user.grant.", "")}`);
};

describe("ListAuthorizationEvents", () => {
  test("answers exactly this JSON, newest first, with no one for the command line", async () => {
    const { body: updated } = await server.call(
      "UpdateAuthorization",
      { id: "a4", roleKeys: ["seller"] },
      { token: root },
    );
    const { status, body } = await of({ authorizationId: { id: "a4" } });
    const rest = {
      authorizationId: "a4",
      user: {
        id: "bob",
        preferredLoginName: "bob@globex.example",
        displayName: "bob of globex",
        avatarUrl: "",
        organizationId: "globex",
      },
      project: { id: "shop", name: "Shop", organizationId: "acme" },
      organization: { id: "globex", name: "Globex" },
      projectGrantId: "shop-to-globex",
    };
    const request = { requestId: expect.stringMatching(/^[\da-f-]{36}$/), reason: "" };
    const seller = { key: "seller", displayName: "Seller", group: "staff" };
    const auditor = { key: "auditor", displayName: "Auditor", group: "control" };
    expect([status, body]).toEqual([
      200,
      {
        pagination: { totalResult: 2, appliedLimit: 100, nextPageToken: "" },
        events: [
          {
            sequence: expect.stringMatching(/^[1-9]\d*$/),
            time: updated.changeDate,
            type: "user.grant.changed",
            actor: {
              id: "root",
              preferredLoginName: "root@acme.example",
              displayName: "root of acme",
              avatarUrl: "",
              organizationId: "acme",
            },
            ...rest,
            roles: [seller],
            state: "STATE_ACTIVE",
            roleKeysBefore: ["auditor", "seller"],
            stateBefore: "STATE_ACTIVE",
            ...request,
          },
          {
            sequence: expect.stringMatching(/^[1-9]\d*$/),
            time: "2024-01-04T00:00:00Z",
            type: "user.grant.added",
            ...rest,
            roles: [auditor, seller],
            state: "STATE_ACTIVE",
            roleKeysBefore: [],
            stateBefore: "STATE_UNSPECIFIED",
            ...request,
          },
        ],
      },
    ]);
    expect(Object.keys(body.events[0])).toEqual([
      ...["sequence", "time", "type", "actor", "authorizationId", "user", "project", "organization"],
      ...["projectGrantId", "roles", "state", "roleKeysBefore", "stateBefore", "requestId", "reason"],
    ]);
  });

  test("tells each kind of change by its type, and a removed one with no roles and no state", async () => {
    const id = "a5";
    for (const rpc of ["ActivateAuthorization", "DeactivateAuthorization"]) {
      expect((await server.call(rpc, { id }, { token: root })).status).toBe(200);
    }
    await apply(server, root, removeRole("shop", "seller"));
    expect((await server.call("DeleteAuthorization", { id }, { token: root })).status).toBe(200);
    const answer = await of({ authorizationId: { id } });
    expect(told(answer)).toEqual(
      ["removed", "cascade.changed", "deactivated", "reactivated", "added"].map((type) => `${id} ${type}`),
    );
    expect(answer.body.events.map(({ state }: any) => state)).toEqual([
      "STATE_UNSPECIFIED",
      "STATE_INACTIVE",
      "STATE_INACTIVE",
      "STATE_ACTIVE",
      "STATE_INACTIVE",
    ]);
    expect(answer.body.events.map(({ stateBefore }: any) => stateBefore)).toEqual([
      "STATE_INACTIVE",
      "STATE_INACTIVE",
      "STATE_ACTIVE",
      "STATE_INACTIVE",
      "STATE_UNSPECIFIED",
    ]);
    const keys = answer.body.events.map(({ roles }: any) => roles.map(({ key }: any) => key));
    expect(keys).toEqual([[], [], ["seller"], ["seller"], ["seller"]]);
    const before = answer.body.events.map(({ roleKeysBefore }: any) => roleKeysBefore);
    expect(before).toEqual([[], ["seller"], ["seller"], ["seller"], []]);
  });

  test("shows current names, the last ones of what was removed, the ids of roles, and an empty name if it is empty", async () => {
    const { database } = server;
    const event = async () => {
      const { body } = await of({ authorizationId: { id: "n1" } }, { types: { types: ["user.grant.added"] } });
      const { actor, user, project, organization, roles } = body.events[0];
      return { actor, user, project, organization, roles };
    };
    const organization = { id: "north", name: "North" };
    const user = { id: "nia", organizationId: "north", preferredLoginName: "nia", displayName: "Nia", avatarUrl: "" };
    await database.load(
      { organization },
      { user },
      { user: { ...user, id: "nick", displayName: "" } },
      { project: { id: "net", organizationId: "north", name: "Net" } },
      role("net", "b", "", "x"),
      role("net", "c", "Catcher", "x"),
      { administrator: { userId: "nia", organizationId: "north", roles: ["ORG_OWNER"] } },
      { authorization: { id: "n1", userId: "nick", projectId: "net", organizationId: "north", roleKeys: ["b", "c"] } },
    );
    await database.query(
      appendEvents(`
        values ('n1', 'user.grant.added', now(), 'nia', 'nick', 'net', 'north', '', '{b,c}'::text[],
          'active'::authorization_state)`),
    );
    await database.load({ organization: { id: "north", name: "Far North" } });
    const nick = { ...user, id: "nick", displayName: "" };
    expect(await event()).toEqual({
      actor: user,
      user: nick,
      project: { id: "net", name: "Net", organizationId: "north" },
      organization: { id: "north", name: "Far North" },
      roles: [
        { key: "b", displayName: "", group: "x" },
        { key: "c", displayName: "Catcher", group: "x" },
      ],
    });
    await database.load(removeRole("net", "c"), remove({ userId: "nia" }));
    const gone = (one: typeof user) => ({ ...one, organizationId: "" });
    expect(await event()).toMatchObject({
      actor: gone(user),
      user: nick,
      roles: [
        { key: "b", displayName: "", group: "x" },
        { key: "c", displayName: "c", group: "" },
      ],
    });
    await database.load(remove({ organizationId: "north" }));
    expect(await event()).toEqual({
      actor: gone(user),
      user: gone(nick),
      project: { id: "net", name: "Net", organizationId: "" },
      organization: { id: "north", name: "Far North" },
      roles: [
        { key: "b", displayName: "b", group: "" },
        { key: "c", displayName: "c", group: "" },
      ],
    });
  });
});

describe("The filters of ListAuthorizationEvents", () => {
  beforeAll(async () => {
    const { database } = server;
    await database.load({ administrator: { userId: "adam", instance: true, roles: ["IAM_USER_MANAGER"] } });
    const adam = await database.token("adam");
    for (const id of ["a1", "a3"]) {
      expect((await server.call("DeactivateAuthorization", { id }, { token: adam })).status).toBe(200);
    }
  });

  test.each<[string, object[], string[]]>([
    ["one authorization", [{ authorizationId: { id: "a3" } }], ["a3 deactivated", "a3 added"]],
    ["one user", [{ userId: { id: "ann" } }], ["a1 deactivated", "a1 cascade.changed", "a1 added"]],
    ["one project", [{ projectId: { id: "depot" } }], ["a3 deactivated", "a3 added"]],
    ["one organization", [{ organizationId: { id: "initech" } }], ["a6 cascade.changed", "a6 added"]],
    ["who did it", [{ actorId: { id: "adam" } }], ["a3 deactivated", "a1 deactivated"]],
    [
      "types",
      [{ types: { types: ["user.grant.reactivated", "user.grant.removed"] } }],
      ["a5 removed", "a5 reactivated"],
    ],
    ["the command line", [{ actorId: { id: "" } }, { organizationId: { id: "initech" } }], ["a6 added"]],
    ["no type", [{ types: { types: [] } }], []],
    ["an empty id of an authorization", [{ authorizationId: { id: "" } }], []],
    ["an empty id of a user", [{ userId: { id: "" } }], []],
    ["an empty id of a project", [{ projectId: {} }], []],
    ["an empty id of an organization", [{ organizationId: {} }], []],
    ["what never was", [{ actorId: { id: "nobody here" } }], []],
  ])("match %s", async (_what, filters, expected) => {
    expect(told(await of(...filters))).toEqual(expected);
  });

  test.each<[string, object]>([
    ["filters[0].types.types[0]", { types: { types: ["user.grant.lost"] } }],
    ["filters[0].types.types", { types: { types: ["user.grant.added", "user.grant.added"] } }],
    ["filters[0].time", { time: {} }],
    ["filters[0].time", { time: { from: "2024-01-02T00:00:00Z", to: "2024-01-01T00:00:00Z" } }],
    ["filters[0].userId.id", { userId: { id: "x".repeat(201) } }],
    ["filters[0]", {}],
  ])("are refused when they break a rule of the message: %s", async (field, filter) => {
    const { status, body } = await of(filter);
    expect([status, body.code]).toEqual([400, "invalid_argument"]);
    expect(body.message).toContain(field);
  });

  test("are refused beyond 50, and a page beyond the maximum with LIMIT_EXCEEDED", async () => {
    const filter = { userId: { id: "ann" } };
    expect((await of(...Array(50).fill(filter))).status).toBe(200);
    expect((await of(...Array(51).fill(filter))).status).toBe(400);
    const refused = await list({ pagination: { limit: 1_001 } });
    expect([refused.status, errorInfo(refused)?.reason]).toEqual([400, "LIMIT_EXCEEDED"]);
  });
});
