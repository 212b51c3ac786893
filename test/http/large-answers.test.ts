import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { CallerService } from "../../gen/service/authorization/v2/caller_service_pb.ts";
import { openReadiness } from "../../src/http/readiness.ts";
import { wrapSince } from "../../src/rpc/around.ts";
import { connectOptions } from "../../src/rpc/router.ts";
import { serveRpcs } from "../../src/server.ts";
import { openHttp2 } from "../support/http2.ts";
import { testLimits } from "../support/server.ts";

/** As large as a page of 1,000 assignments. */
const size = 600_000;

const stopping = new AbortController().signal;
const app = await serveRpcs(
  {
    ...connectOptions(testLimits, () => {}),
    routes(router) {
      const user = { id: "x".repeat(size) };
      router.rpc(CallerService.method.getCaller, () => ({ user }));
      wrapSince(0, router, () => ({ mostBytes: 1_000 }));
    },
  },
  {
    limits: testLimits,
    corsOrigins: [],
    log: pino({ level: "silent" }),
    readiness: openReadiness(async () => true, stopping),
    stopping,
  },
);
const url = await app.listen({ host: "127.0.0.1", port: 0 });
afterAll(() => app.close());

test("One connection can wait for 100 large pages at once", async () => {
  const client = openHttp2(url);
  const headers = {
    ":method": "POST",
    ":path": "/service.authorization.v2.CallerService/GetCaller",
    "content-type": "application/json",
    "connect-protocol-version": "1",
    "accept-encoding": "identity",
  };
  const answers = await Promise.all(Array.from({ length: 150 }, () => client.send(headers, "{}")));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.user?.id.length}`))).toEqual(
    new Set([`200 ${size}`]),
  );
  await client.close();
});
