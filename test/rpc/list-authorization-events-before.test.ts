import { expect, test } from "vitest";
import { serveTests } from "../support/server.ts";
import { role } from "../support/world.ts";

const rpc = "authorization.v2.AuthorizationHistoryService/ListAuthorizationEvents";
const server = await serveTests({ smallWorld: true });
const root = await server.database.token("root");

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
  const request = { filters: [{ authorizationId: { id } }] };
  const { body } = await server.callService(rpc, request, { token: root });
  expect(
    body.events.map(({ type, user, roleKeysBefore, stateBefore }: any) => [type, user.id, roleKeysBefore, stateBefore]),
  ).toEqual([
    ["user.grant.added", "nobody", [], "STATE_UNSPECIFIED"],
    ["user.grant.added", "cid", [], "STATE_UNSPECIFIED"],
  ]);
});
