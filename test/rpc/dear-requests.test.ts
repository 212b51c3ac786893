import { expect, test } from "vitest";
import { action, askAuthzen, resource, subject } from "../support/authzen.ts";
import { hold } from "../support/locks.ts";
import { serveSmallWorld } from "../support/server.ts";

const { server, root: token } = await serveSmallWorld({ poolSize: 8 });

const state = { state: { state: "STATE_ACTIVE" } };
const name = { name: { text: "a" } };
const pageOf = (limit: number) => ({ pagination: { limit } });
const [lists, overviews, users] = [
  "authorization.v2.AuthorizationService/ListAuthorizations",
  "authorization.v2.OverviewService/GetOverview",
  "directory.v1.DirectoryService/ListUsers",
];

async function expectAtOnce(connections: number, ask: () => Promise<{ status: number }>) {
  const another = await server.database.token("root");
  const lock = await hold(server.database, "lock table authorizations, users, numbers in access exclusive mode");
  const answers = Array.from({ length: 3 }, ask);
  const list = server.callService(lists, {}, { token: another });
  await lock.untilWaiting(connections + 1, 5_000);
  // By then, the others would have come, too.
  for (let time = 0; time < 5; time += 1) expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  await lock.untilWaiting(connections + 1, 5_000);
  await lock.rollback();
  for (const { status } of await Promise.all([...answers, list])) expect(status).toBe(200);
}

test.each<[number, string, string, object[], object?]>([
  [1, "overviews that have to be counted", overviews, [state]],
  [3, "overviews of everything", overviews, []],
  [1, "lists with 11 filters", lists, Array(11).fill(state)],
  [3, "lists with 10 filters", lists, Array(10).fill(state)],
  [1, "lists with 11 filters, of which ten are nested", lists, [{ anyOf: { filters: Array(10).fill(state) } }]],
  [1, "look-ups with 11 filters", users, Array(11).fill(name)],
  [1, "pages of 201 rows", lists, [], pageOf(201)],
  [1, "pages of 201 users", users, [], pageOf(201)],
  [3, "pages of 200 rows", lists, [], pageOf(200)],
])("A caller has %i of three connections at once for %s", async (connections, _, rpc, filters, page) => {
  await expectAtOnce(connections, () => server.callService(rpc, { filters, ...page }, { token }));
});

test.each([
  [1, 201],
  [3, 200],
])(
  "A caller has %i of three connections at once for searches of AuthZEN with up to %i results",
  async (connections, limit) => {
    const search = { subject: subject("ann"), action: action("seller"), resource: resource("shop"), page: { limit } };
    await expectAtOnce(connections, () => askAuthzen(server, "search/subject", search, { token }));
  },
);
