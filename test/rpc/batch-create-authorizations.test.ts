import { describe, expect, test } from "vitest";
import { listed } from "../support/assign.ts";
import { eventsOf } from "../support/events.ts";
import { fingerprint } from "../support/fingerprint.ts";
import { expectRefusal } from "../support/refusals.ts";
import { type Answer, bodyOf, serveSmallWorld } from "../support/server.ts";
import { user } from "../support/world.ts";

let users = 0;

const { server, root } = await serveSmallWorld();
await server.database.load(...Array.from({ length: 60 }, (_, index) => user(`user ${index}`, "initech")));

function create(items: readonly object[], more: object = {}, token = root): Promise<Answer> {
  return server.call("BatchCreateAuthorizations", { items, ...more }, { token });
}

/** For a user that has none yet. */
function fresh(more: object = {}) {
  return { userId: `user ${users++}`, projectId: "shop", organizationId: "acme", roleKeys: ["seller"], ...more };
}

describe("BatchCreateAuthorizations", () => {
  test("answers the id and the creation date of each, in the order of the items, with ids in that order", async () => {
    const items = [fresh(), fresh({ organizationId: "globex" }), fresh({ projectId: "depot", roleKeys: [] })];
    const { results } = await bodyOf(create(items));
    const ids = results.map(({ success }: any) => success.id);
    expect(ids).toEqual([...ids].sort());
    for (const [index, { userId }] of items.entries()) {
      const authorization = await listed(server, ids[index], root);
      expect(authorization).toMatchObject({ user: { id: userId }, state: "STATE_ACTIVE" });
      const { creationDate, changeDate } = authorization;
      expect(results[index]).toEqual({ success: { id: ids[index], creationDate } });
      expect(changeDate).toBe(creationDate);
      expect(await eventsOf(server.database, ids[index])).toMatchObject([{ time: creationDate, actor_id: "root" }]);
    }
  });

  test("with atomic names the earlier item for the same, and no id, because that one is not kept either", async () => {
    const before = await fingerprint(server.database);
    const [one, other] = [fresh(), fresh()];
    const exists = { status: 409, code: "already_exists", reason: "AUTHORIZATION_EXISTS" };
    for (const [items, metadata] of [
      [[one, one], { firstIndex: "0", index: "1" }],
      [[other, one, { ...one, roleKeys: [] }, other], { firstIndex: "1", index: "2" }],
      [[one, { ...other, userId: "ann" }, one], { id: "a1", index: "1" }],
    ] as const) {
      expectRefusal(await create(items, { atomic: true }), { ...exists, metadata });
    }
    expect((await create([one, one], { atomic: true })).body.message).toMatch(/^items\[1\] .* items\[0\]/);
    expect(await fingerprint(server.database)).toEqual(before);
  });
});
