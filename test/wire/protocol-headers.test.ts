import { describe, expect, test } from "vitest";
import { expectError } from "../support/connect-errors.ts";
import { serveSmallWorld } from "../support/server.ts";

const { server, root: token } = await serveSmallWorld({ limits: { maximumTimeoutMs: 30_000 } });

const call = (headers: Record<string, string | undefined>) => server.call("ListAuthorizations", {}, { token, headers });

describe("Connect-Protocol-Version", () => {
  test("is required", async () => {
    const message = 'missing required header: set Connect-Protocol-Version to "1"';
    expectError(await call({ "connect-protocol-version": undefined }), 400, "invalid_argument", message);
  });

  test.each(["2", ""])("%j is invalid_argument: the only value is 1", async (version) => {
    const answer = await call({ "connect-protocol-version": version });
    expectError(answer, 400, "invalid_argument", /Connect-Protocol-Version/);
  });
});

describe("Connect-Timeout-Ms", () => {
  test.each(["-1", "soon"])("%j is invalid_argument", async (timeout) => {
    const answer = await call({ "connect-timeout-ms": timeout });
    expectError(answer, 400, "invalid_argument", `protocol error: invalid connect timeout value: ${timeout}`);
  });

  test("over the maximum is invalid_argument, and the maximum is served", async () => {
    const over = await call({ "connect-timeout-ms": "30001" });
    expectError(over, 400, "invalid_argument", "timeout 30001ms must be <= 30000");
    for (let time = 0; time < 20; time += 1) {
      expectError(await call({ "connect-timeout-ms": "9999999999" }), 400, "invalid_argument", /must be <= 30000$/);
    }
    expect((await call({ "connect-timeout-ms": "30000" })).status).toBe(200);
  });

  test("0 is over at once", async () => {
    for (let time = 0; time < 20; time += 1) {
      expectError(await call({ "connect-timeout-ms": "0" }), 504, "deadline_exceeded");
    }
  });
});
