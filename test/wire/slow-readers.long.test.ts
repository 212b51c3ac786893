import { once } from "node:events";
import { expect, test } from "vitest";
import { frame } from "../support/frames.ts";
import { callOf, openHttp2 } from "../support/http2.ts";
import { scrape } from "../support/scrape.ts";
import { serveSmallWorld } from "../support/server.ts";

const { server, root: token } = await serveSmallWorld({ metrics: true });

// docs/reference/feed.md, "End".
test("A stream whose client takes nothing for five seconds is reset, and the log and the metrics say READER_TOO_SLOW", async () => {
  await server.database.query(`
    insert into events (
      authorization_id, type, time, user_id, project_id, organization_id, project_grant_id, role_keys, state, creation_date,
      request_id)
    select 'a' || n, 'user.grant.added', now(), 'ann', 'shop', 'acme', '', '{}', 'active', now(), gen_random_uuid()
    from generate_series(1, 200) n`);
  const rpc = "service.authorization.v2.AuthorizationHistoryService/WatchAuthorizations";
  const client = openHttp2(server.url, { settings: { initialWindowSize: 0 } });
  const headers = { ":path": `/${rpc}`, "content-type": "application/connect+json" };
  const stream = client.session.request(callOf("WatchAuthorizations", token, headers));
  stream.on("error", () => {});
  stream.end(frame('{"fromBeginning":true}'));
  await once(stream, "close");
  expect(stream.rstCode).not.toBe(0);
  client.session.destroy();
  const outcome = { rpc, protocol: "connect", code: "aborted", reason: "READER_TOO_SLOW" };
  const labels = Object.entries(outcome).map(([name, value]) => `${name}="${value}"`);
  expect((await scrape(server.metricsUrl)).values.get(`authorization_refused_total{${labels}}`)).toBe(1);
  expect(server.log).toContainEqual(expect.objectContaining({ ...outcome, msg: "refused" }));
});
