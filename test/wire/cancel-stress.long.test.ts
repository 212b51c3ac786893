import { expect, test } from "vitest";
import { serveSmallWorld } from "../support/server.ts";

const { server, root: token } = await serveSmallWorld({ poolSize: 3 });

test("A cancel never hits the statement of another request", async () => {
  const counts = new Map<string, number>();
  let left = 20_000;
  // Hurried ones are often refused before anything is cancelled; so many of each have to be tried.
  const isOver = () => (counts.get("hurried 504") ?? 0) > 50 && (counts.get("normal 200") ?? 0) > 50;

  async function callAll(kind: string, timeoutMs: (left: number) => number, allowed: number[]): Promise<void> {
    while (left > 0 && !isOver()) {
      left -= 1;
      const headers = { "connect-timeout-ms": String(timeoutMs(left)) };
      const { status, body } = await server.call("ListAuthorizations", {}, { token, headers });
      expect(allowed, JSON.stringify(body)).toContain(status);
      const key = `${kind} ${status}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }

  await Promise.all([
    ...Array.from({ length: 8 }, () => callAll("hurried", (number) => 1 + (number % 20), [200, 503, 504])),
    ...Array.from({ length: 4 }, () => callAll("normal", () => 20_000, [200])),
  ]);
  // Otherwise nothing was tried.
  expect(counts.get("hurried 504")).toBeGreaterThan(50);
  expect(counts.get("normal 200")).toBeGreaterThan(50);
});
