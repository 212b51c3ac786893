import { expect, test } from "vitest";
import { appendEvents } from "../support/append-events.ts";
import { type Answer, serveTests } from "../support/server.ts";
import { whileRepeating } from "../support/while-repeating.ts";

const server = await serveTests({ smallWorld: true });
const { database } = server;
const [root, ann] = [await database.token("root"), await database.token("ann")];
// Many of one time.
await database.query(
  appendEvents(`
  select 'x' || n, case when n % 5 = 0 then 'user.grant.removed' else 'user.grant.changed' end,
    '2024-02-01Z'::timestamptz + n / 7 * interval '1 microsecond',
    case when n % 3 = 0 then 'adam' end, case when n % 50 = 0 then 'ann' else 'bob' end, 'depot', 'acme', '', '{}'::text[],
    case when n % 5 > 0 then 'active'::authorization_state end
  from generate_series(0, 399) n`),
);

const list = (request: object, token = root): Promise<Answer> =>
  server.callService("authorization.v2.AuthorizationHistoryService/ListAuthorizationEvents", request, { token });

test("The pages of ListAuthorizationEvents keep their place while events are appended", async () => {
  const all = (await list({ pagination: { limit: 1_000 } }, ann)).body.events;
  const { nextPageToken: pageToken } = (await list({ pagination: { limit: 2 } }, ann)).body.pagination;
  expect((await server.call("DeactivateAuthorization", { id: "a1" }, { token: root })).status).toBe(200);
  const { body } = await list({ pagination: { limit: 1_000, pageToken } }, ann);
  expect(body.events).toEqual(all.slice(2));
  expect(body.pagination.totalResult).toBe(all.length + 1);
});

test("the page and the total of ListAuthorizationEvents are of one moment, while others append pairs", async () => {
  const append = appendEvents(`
    select 'pair' || n, 'user.grant.changed', now(), null, 'cid', 'shop', 'initech', 'shop-to-initech', '{}'::text[],
      'active'::authorization_state
    from generate_series(1, 2) n`);
  // No more than one page can show.
  const write = (pairs: number) => server.database.query(pairs < 400 ? append : "select");
  const totals = new Set<number>();
  const inInitech = { organizationId: { id: "initech" } };
  const requests = [[inInitech], [inInitech, { userId: { id: "cid" } }]];
  await whileRepeating(write, async () => {
    for (let round = 0; round < 30 || (totals.size < 5 && round < 2_000); round++) {
      const { body } = await list({ filters: requests[round % 2], pagination: { limit: 1_000 } });
      const shown = body.events.filter((event: any) => event.authorizationId.startsWith("pair")).length;
      expect(shown % 2).toBe(0);
      expect(body.pagination.totalResult).toBe(body.events.length);
      totals.add(shown);
    }
  });
  expect(totals.size).toBeGreaterThan(1);
});
