import { describe, expect, test } from "vitest";
import { type Answer, serveTests } from "../support/server.ts";

const server = await serveTests({ smallWorld: true });
const root = await server.database.token("root");

function list(request: object | string, token = root): Promise<Answer> {
  return server.callService("authorization.v2.AuthorizationHistoryService/ListAuthorizationEvents", request, { token });
}

const of = (...filters: object[]) => list({ filters });

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
});

describe("The filters of ListAuthorizationEvents", () => {
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
});
