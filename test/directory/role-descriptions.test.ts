import { afterAll, beforeAll, expect, test } from "vitest";
import { removeRole } from "../support/changes.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let root: string;

beforeAll(async () => {
  server = await startTestServer({ smallWorld: true });
  root = await server.database.token("root");
});
afterAll(() => server.stop());

const role = (fields: object) => ({
  projectRole: { projectId: "shop", key: "seller", displayName: "Seller", ...fields },
});
const apply = (change: object, rest: object = {}) =>
  server.callDirectory("ApplyChanges", { changes: [change], ...rest }, { token: root });
const put = async (fields: object, rest: object = {}) => {
  const { status, body } = await apply(role(fields), rest);
  expect(status).toBe(200);
  return body.outcomes[0];
};
const shown = async (request: object = {}) => {
  const { body } = await server.callDirectory(
    "ListProjects",
    { filters: [{ ids: { ids: ["shop"] } }], ...request },
    { token: root },
  );
  return body.projects[0].roles.find(({ key }: { key: string }) => key === "seller").description;
};

test("A change without a description leaves it, and an empty one takes it away", async () => {
  const added = await put({ description: "Takes orders." });
  expect([added.effect, added.changedFields]).toEqual(["EFFECT_CHANGED", ["description", "group"]]);
  expect(await shown()).toBe("Takes orders.");
  expect(await shown({ assignable: true })).toBe("Takes orders.");

  const same = await put({});
  expect(same.effect).toBe("EFFECT_NONE");
  const renamed = await put({ displayName: "Clerk" });
  expect(renamed.changedFields).toEqual(["displayName"]);
  expect(renamed.after.projectRole.description).toBe("Takes orders.");
  expect(await shown()).toBe("Takes orders.");

  const emptied = await put({ displayName: "Clerk", description: "" }, { dryRun: true });
  expect(emptied.changedFields).toEqual(["description"]);
  expect(await shown()).toBe("Takes orders.");
  expect((await put({ displayName: "Clerk", description: "" })).after.projectRole.description).toBeUndefined();
  expect(await shown()).toBe("");
});

test("A role that is removed and added again has none", async () => {
  await put({ description: "Takes orders." });
  expect((await apply(removeRole("shop", "seller"))).status).toBe(200);
  expect((await put({})).after.projectRole.description).toBeUndefined();
  expect(await shown()).toBe("");
});
