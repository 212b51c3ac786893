import { expect, test } from "vitest";
import { assign, listed } from "../support/assign.ts";
import { eventsOf } from "../support/events.ts";
import { itemNotFound } from "../support/refusals.ts";
import { type Answer, serveSmallWorld } from "../support/server.ts";

const { server, root } = await serveSmallWorld();

function remove(items: readonly object[], more: object = {}, token = root): Promise<Answer> {
  return server.call("BatchDeleteAuthorizations", { items, ...more }, { token });
}

test("BatchDeleteAuthorizations answers the date of each removal, and the earlier one if an item names the same again", async () => {
  const [one, other] = [await assign(server.database), await assign(server.database)];
  const before = await server.call("DeleteAuthorization", { id: other.id }, { token: root });
  const { body } = await remove([{ id: one.id }, { id: "never was" }, { id: other.id }, { id: one.id }]);
  const last = (await eventsOf(server.database, one.id)).at(-1);
  expect(last).toMatchObject({ type: "user.grant.removed", actor_id: "root", role_keys: [], state: null });
  expect(body).toEqual({
    results: [
      { success: { deletionDate: last?.time } },
      itemNotFound,
      { success: before.body },
      { success: { deletionDate: last?.time } },
    ],
  });
  expect(await eventsOf(server.database, one.id)).toHaveLength(2);
  expect(await listed(server, one.id, root)).toBeUndefined();
});
