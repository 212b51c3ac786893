import { describe, expect, test } from "vitest";
import { eventsOf } from "../support/events.ts";
import { rolesOnPage } from "../support/permissions-page.ts";
import { denied, expectRefusal, notFound } from "../support/refusals.ts";
import { type Answer, serveTests } from "../support/server.ts";
import { authorization, user } from "../support/world.ts";

/** The scopes a role can have in the small world, and which side of the project Shop each one covers. */
const scopes = [
  { prefix: /^IAM_/, scope: { instance: true }, covers: ["owned", "granted"] },
  { prefix: /^ORG_/, scope: { organizationId: "acme" }, covers: ["owned"] },
  { prefix: /^ORG_/, scope: { organizationId: "globex" }, covers: ["granted"] },
  { prefix: /^ORG_/, scope: { organizationId: "initech" }, covers: [] },
  { prefix: /^PROJECT_(?!GRANT_)/, scope: { projectId: "shop" }, covers: ["owned"] },
  { prefix: /^PROJECT_(?!GRANT_)/, scope: { projectId: "depot" }, covers: [] },
  { prefix: /^PROJECT_GRANT_/, scope: { projectGrantId: "shop-to-globex" }, covers: ["granted"] },
  { prefix: /^PROJECT_GRANT_/, scope: { projectGrantId: "shop-to-initech" }, covers: [] },
];

const cases = [...rolesOnPage].flatMap(([name, permits]) =>
  scopes
    .filter(({ prefix }) => prefix.test(name))
    .flatMap(({ scope, covers }) =>
      [
        { side: "owned", organizationId: "acme" },
        { side: "granted", organizationId: "globex" },
      ].map((of) => ({ ...of, role: name, scope, permits: covers.includes(of.side) ? permits : [] })),
    )
    .map((each) => ({ ...each, at: JSON.stringify(each.scope) })),
);
const numbered = cases.map((each, index) => ({ ...each, caller: `caller-${index}`, id: `authorization-${index}` }));

const server = await serveTests({ smallWorld: true });
await server.database.load(
  ...numbered.flatMap(({ role, scope, organizationId, caller, id }) => [
    user(caller, "initech"),
    user(`user-${caller}`, "initech"),
    { administrator: { userId: caller, ...scope, roles: [role] } },
    authorization(id, `user-${caller}`, "shop", organizationId, [], "2024-01-01T00:00:00Z"),
  ]),
);

function expectAnswer(answer: Answer, permits: readonly string[], needed: string): void {
  if (permits.includes(needed)) expect(answer.status).toBe(200);
  else expectRefusal(answer, permits.includes("user.grant.read") ? denied(needed) : notFound);
}

describe("An administrator may change what its role permits where its scope reaches", () => {
  test("covers every role in every scope it can have, on both sides", () => {
    expect(numbered).toHaveLength(2 * (5 * 1 + 5 * 3 + 4 * 2 + 2 * 2));
  });

  test.each(numbered)("$role at $at on an $side authorization", async ({ caller, id, organizationId, permits }) => {
    const token = await server.database.token(caller);
    const updated = await server.call("UpdateAuthorization", { id, roleKeys: ["seller"] }, { token });
    expectAnswer(updated, permits, "user.grant.write");
    const deleted = await server.call("DeleteAuthorization", { id }, { token });
    expectAnswer(deleted, permits, "user.grant.delete");
    const events = (await eventsOf(server.database, id)).slice(1);
    const expected = [
      ...(permits.includes("user.grant.write") ? ["user.grant.changed"] : []),
      ...(permits.includes("user.grant.delete") ? ["user.grant.removed"] : []),
    ];
    expect(events).toMatchObject(expected.map((type) => ({ type, actor_id: caller })));
    const place = { userId: `user-${caller}`, projectId: "shop", organizationId };
    const created = await server.call("CreateAuthorization", place, { token });
    if (permits.includes("user.grant.write")) expect(created.status).toBe(expected.length === 2 ? 200 : 409);
    else expectRefusal(created, denied("user.grant.write"));
  });
});
