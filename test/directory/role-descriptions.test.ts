import { beforeEach, expect, test } from "vitest";
import { apply, organization, project, remove, removeRole } from "../support/changes.ts";
import { serveSmallWorld } from "../support/server.ts";

// Clients that don't know descriptions send none, and must not erase them.

const { server, root } = await serveSmallWorld();

const role = (fields: object) => ({
  projectRole: { projectId: "shop", key: "seller", displayName: "Seller", ...fields },
});

/** The description of the role in both forms of the look-up. */
async function shown(): Promise<string[]> {
  const filters = [{ ids: { ids: ["shop"] } }];
  const all = [];
  for (const assignable of [false, true]) {
    const { body } = await server.callDirectory("ListProjects", { filters, assignable }, { token: root });
    all.push(body.projects[0].roles.find(({ key }: { key: string }) => key === "seller").description);
  }
  return all;
}

beforeEach(() => apply(server, root, role({ description: "Takes orders." })));

test.each<[what: string, change: object, description: string, changedFields: string[]]>([
  ["without a description leaves it", {}, "Takes orders.", []],
  ["without one leaves it when something else changes", { displayName: "Clerk" }, "Takes orders.", ["displayName"]],
  ["with an empty one takes it away", { description: "" }, "", ["description"]],
  ["with another one replaces it", { description: "Sells." }, "Sells.", ["description"]],
])("A change %s", async (_what, change, description, changedFields) => {
  const request = { changes: [role(change)], dryRun: true };
  const dry = await server.callDirectory("ApplyChanges", request, { token: root });
  expect(await shown()).toEqual(["Takes orders.", "Takes orders."]);
  const { outcomes } = await apply(server, root, role(change));
  expect(dry.body.outcomes).toEqual(outcomes);
  expect(outcomes[0].changedFields ?? []).toEqual(changedFields);
  if (changedFields.length > 0) expect(outcomes[0].after.projectRole.description ?? "").toBe(description);
  expect(await shown()).toEqual([description, description]);
});

test("A role that is removed and added again has none, also in one request", async () => {
  await apply(server, root, removeRole("shop", "seller"));
  const { outcomes } = await apply(server, root, role({}));
  expect(outcomes[0].after.projectRole.description).toBeUndefined();
  expect(await shown()).toEqual(["", ""]);

  const guard = { projectId: "kiosk", key: "guard" };
  const described = { projectRole: { ...guard, description: "Stays." } };
  await apply(server, root, organization("small"), project("kiosk", "small"), described);
  const again = [project("kiosk", "acme"), { projectRole: guard }];
  const moved = await apply(server, root, remove({ organizationId: "small" }), ...again);
  expect(moved.outcomes.at(-1).after.projectRole.description).toBeUndefined();
});
