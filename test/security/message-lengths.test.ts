import { expect, test } from "vitest";
import { applyChanges, entry } from "../support/changes.ts";
import { serveSmallWorld, type TestServer } from "../support/server.ts";

const { server, root: token } = await serveSmallWorld();

/** Keys as long as they may be. */
const longKeys = (count: number) => Array.from({ length: count }, (_, n) => String(n).padEnd(200, "k"));
/** As much as fits into the request of a list. */
const long = "x".repeat(500_000);

const list = (request: object) => () => server.call("ListAuthorizations", request, { token });
function apply(...changes: object[]) {
  return () => applyChanges(server, token, changes);
}

const worst: [what: string, message: number, call: () => ReturnType<TestServer["call"]>][] = [
  [
    "roles that are none, and 1000 of them",
    2_300,
    () => server.call("UpdateAuthorization", { id: "a1", roleKeys: longKeys(1_000) }, { token }),
  ],
  ["an unknown field of 500,000 characters", 600, list({ [long]: 1 })],
  ["a value of 500,000 characters where a number is meant", 600, list({ pagination: { limit: long } })],
  ["an enum of 500,000 characters", 600, list({ filters: [{ state: { state: long } }] })],
  [
    "as many broken rules as fit",
    20_000,
    apply(...Array(100).fill({ projectGrant: { roleKeys: Array(900).fill("") } })),
  ],
  ["an unknown administrator role that is long", 600, apply(entry("ann", { instance: true }, long))],
  ["a page token of 500,000 characters", 600, list({ pagination: { pageToken: long } })],
];

test.each(worst)("The message is short that is about %s", async (_what, most, call) => {
  const { status, body } = await call();
  expect(status).toBe(400);
  expect(body.message.length).toBeLessThanOrEqual(most);
  expect(body.message.length).toBeGreaterThan(10);
});

test("The message is short that is about a path that is not served", async () => {
  const answer = await fetch(`${server.url}/${"x".repeat(15_000)}`, { method: "POST" });
  expect(answer.status).toBe(404);
  const { message } = (await answer.json()) as { message: string };
  expect(message).toMatch(/^nothing is served at \/xxx/);
  expect(message.length).toBeLessThanOrEqual(600);
});

test("The message about roles that are none says how many more there are, and the metadata names all", async () => {
  const answer = await server.call("UpdateAuthorization", { id: "a1", roleKeys: longKeys(12) }, { token });
  expect(answer.body.message).toMatch(/ and 2 more$/);
  expect(JSON.parse(answer.body.details[0].debug.metadata.roleKeys)).toHaveLength(12);
});
