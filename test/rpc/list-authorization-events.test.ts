import { expect, test } from "vitest";
import { type Answer, serveSmallWorld } from "../support/server.ts";
import { person, role } from "../support/world.ts";

const { server, root } = await serveSmallWorld();

function list(request: object | string, token = root): Promise<Answer> {
  return server.callService("authorization.v2.AuthorizationHistoryService/ListAuthorizationEvents", request, { token });
}

const of = (...filters: object[]) => list({ filters });

test("ListAuthorizationEvents answers exactly this JSON, newest first, with no one for the command line", async () => {
  const { body: updated } = await server.call(
    "UpdateAuthorization",
    { id: "a4", roleKeys: ["seller"] },
    { token: root },
  );
  const { status, body } = await of({ authorizationId: { id: "a4" } });
  const rest = {
    authorizationId: "a4",
    user: person("bob", "globex"),
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
          actor: person("root", "acme"),
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

test.each<[string, object]>([
  ["filters[0].types.types[0]", { types: { types: ["user.grant.lost"] } }],
  ["filters[0].types.types", { types: { types: ["user.grant.added", "user.grant.added"] } }],
  ["filters[0].time", { time: {} }],
  ["filters[0].time", { time: { from: "2024-01-02T00:00:00Z", to: "2024-01-01T00:00:00Z" } }],
  ["filters[0].userId.id", { userId: { id: "x".repeat(201) } }],
  ["filters[0]", {}],
])(
  "The filters of ListAuthorizationEvents are refused when they break a rule of the message: %s",
  async (field, filter) => {
    const { status, body } = await of(filter);
    expect([status, body.code]).toEqual([400, "invalid_argument"]);
    expect(body.message).toContain(field);
  },
);

test("An event says nothing of what another authorization of the same id was before, when one change replaced it", async () => {
  const { database } = server;
  const id = "again";
  const place = { projectId: "shop", organizationId: "initech" };
  const grant = (grantId: string) => ({ projectGrant: { id: grantId, ...place, roleKeys: ["seller", "auditor"] } });
  await database.load(role("shop", "seller", "Seller", "staff"), grant("shop-to-initech"), {
    authorization: { id, userId: "cid", ...place, roleKeys: ["seller"] },
  });
  await database.load({ remove: { projectGrantId: "shop-to-initech" } }, grant("shop-to-initech-2"), {
    authorization: { id, userId: "nobody", ...place, roleKeys: ["auditor"] },
  });
  const { body } = await of({ authorizationId: { id } });
  expect(
    body.events.map(({ type, user, roleKeysBefore, stateBefore }: any) => [type, user.id, roleKeysBefore, stateBefore]),
  ).toEqual([
    ["user.grant.added", "nobody", [], "STATE_UNSPECIFIED"],
    ["user.grant.added", "cid", [], "STATE_UNSPECIFIED"],
  ]);
});
