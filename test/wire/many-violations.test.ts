import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { serveTests } from "../support/server.ts";

const server = await serveTests({ smallWorld: true });
const token = await server.database.token("nobody");

function list(request: object) {
  const body = gzipSync(JSON.stringify(request));
  return server.call("ListAuthorizations", body, { token, headers: { "content-encoding": "gzip" } });
}

const times = <T>(count: number, value: T) => Array.from({ length: count }, () => value);

describe("A request with more violations than anybody can read is refused with some of them", () => {
  test("when every list is within its bound", async () => {
    const { status, body } = await list({ filters: times(50, { inUserIds: { ids: times(200, "") } }) });
    expect(status).toBe(400);
    expect(body.details[0].debug.violations).toHaveLength(100);
    expect(body.message).toMatch(/; and more$/);
  });

  test("and 100 of them are all named", async () => {
    const { body } = await list({ filters: times(50, { state: { state: 9 } }) });
    expect(body.details[0].debug.violations).toHaveLength(50);
    expect(body.message).not.toContain("more");
  });
});
