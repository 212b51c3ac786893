import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openReadiness } from "../../src/http/readiness.ts";
import type { Route } from "../../src/http/rpc-route.ts";
import { serveRoutes } from "../../src/server.ts";
import { openHttp2 } from "../support/http2.ts";
import { testLimits } from "../support/server.ts";

/** As large as a page of 1,000 assignments. */
const page = JSON.stringify("x".repeat(700_000));

const pages: Route = {
  path: "/pages.Pages/List",
  supportedContentType: () => true,
  answer: (_, { raw }) => void raw.writeHead(200).end(page),
};

let url: string;
let stop: () => Promise<void>;

beforeAll(async () => {
  const stopping = new AbortController().signal;
  const app = await serveRoutes([pages], {
    limits: testLimits,
    corsOrigins: [],
    log: pino({ level: "silent" }),
    readiness: openReadiness(async () => true, stopping),
    queue: () => ({ full: false, waitMs: 0 }),
    stopping,
  });
  url = await app.listen({ host: "127.0.0.1", port: 0 });
  stop = () => app.close();
});
afterAll(() => stop());

test("One connection can wait for 100 large pages at once", async () => {
  const client = openHttp2(url);
  const headers = { ":method": "POST", ":path": pages.path, "content-type": "application/json" };
  const answers = await Promise.all(Array.from({ length: 150 }, () => client.send(headers, "{}")));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.length}`))).toEqual(new Set(["200 700000"]));
  await client.close();
});
