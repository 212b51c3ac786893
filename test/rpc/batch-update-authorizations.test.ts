import { describe, expect, test } from "vitest";
import { assign, listed } from "../support/assign.ts";
import { eventsOf } from "../support/events.ts";
import { fingerprint } from "../support/fingerprint.ts";
import { changedAt, expectRefusal, itemNotFound, notFound, refusedItem, rolesNotFound } from "../support/refusals.ts";
import { type Answer, serveSmallWorld } from "../support/server.ts";

const { server, root } = await serveSmallWorld();

function update(items: readonly object[], more: object = {}, token = root): Promise<Answer> {
  return server.call("BatchUpdateAuthorizations", { items, ...more }, { token });
}

async function assignMany(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push((await assign(server.database)).id);
  return ids;
}

const old = "2024-01-01T00:00:00Z";

describe("BatchUpdateAuthorizations", () => {
  test("answers each item in the order of the items, exactly as the single call would", async () => {
    const [changed, same] = await assignMany(2);
    const answer = await update([
      { id: "never was", roleKeys: ["seller"] },
      { id: changed, roleKeys: ["owner", "auditor"] },
      { id: same, roleKeys: ["seller"] },
      { id: changed, roleKeys: [], ifUnchangedSince: old },
      { id: same, roleKeys: ["nonsense"] },
    ]);
    expect(answer.status).toBe(200);
    const { changeDate } = await listed(server, changed ?? "", root);
    expect(answer.body).toEqual({
      results: [
        itemNotFound,
        { success: { changeDate } },
        { success: { changeDate: old } },
        refusedItem(
          changedAt(changeDate),
          "the authorization has changed since you read it: read it again, then repeat the change",
        ),
        refusedItem(rolesNotFound("nonsense"), "roleKeys: not assignable in this project and organization: nonsense"),
      ],
    });
    expect((await eventsOf(server.database, changed ?? "")).at(-1)).toMatchObject({
      time: changeDate,
      actor_id: "root",
      role_keys: ["auditor", "owner"],
    });
  });

  test.each([true, false])("refuses the whole request with every broken rule, atomic or not (%s)", async (atomic) => {
    const [id = ""] = await assignMany(1);
    const answer = await update(
      [{ id, roleKeys: ["owner"] }, { id: "" }, { id: "x", roleKeys: ["seller", "seller"] }],
      { atomic },
    );
    expect([answer.status, answer.body.code]).toEqual([400, "invalid_argument"]);
    expect(answer.body.message.split("; ").map((text: string) => text.split(":")[0])).toEqual([
      "items[1].id",
      "items[2].roleKeys",
    ]);
    expect(await eventsOf(server.database, id)).toHaveLength(1);
  });
});

describe("BatchUpdateAuthorizations with atomic", () => {
  test("refuses with the first item that fails, its reason and its index, and keeps nothing", async () => {
    const [one = "", other = ""] = await assignMany(2);
    const before = await fingerprint(server.database);
    const good = { id: one, roleKeys: ["owner"] };
    const cases = [
      [[good, { id: "never was" }, { id: other, roleKeys: ["x"] }], { ...notFound, metadata: { index: "1" } }],
      [[good, { id: other, roleKeys: ["x"] }, { id: "never was" }], { ...rolesNotFound("x"), index: 1 }],
      // Found out about in the second round, behind what the first one found.
      [[good, { id: one, roleKeys: ["x"] }, { id: "never was" }], { ...rolesNotFound("x"), index: 1 }],
      [[good, { id: "never was" }, { id: one, roleKeys: ["x"] }], { ...notFound, index: 1 }],
      [[{ id: other, roleKeys: [], ifUnchangedSince: "2001-01-01T00:00:00Z" }, good], { ...changedAt(old), index: 0 }],
    ] as const;
    for (const [items, { metadata, ...refusal }] of cases as readonly (readonly [readonly object[], any])[]) {
      const { index = 1, ...rest } = refusal;
      const answer = await update(items, { atomic: true });
      expectRefusal(answer, { ...rest, metadata: { ...metadata, index: String(index) } });
      expect(await fingerprint(server.database)).toEqual(before);
    }
  });
});
