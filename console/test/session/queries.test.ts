import { Code, ConnectError } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { waitAfter } from "../../src/session/queries.ts";

const away = new ConnectError("away", Code.Unavailable);

it("those who wait do not all come at once", () => {
  expect([waitAfter(away, 0), waitAfter(away, 1)]).toEqual([3_000, 8_000]);
});

it("a server that says when to come is not asked before", () => {
  const busy = new ConnectError("busy", Code.Unavailable, { "retry-after": "30" });
  expect(waitAfter(busy, 0.5)).toBe(30_000);
  expect(waitAfter(new ConnectError("busy", Code.Unavailable, { "retry-after": "soon" }), 0)).toBe(3_000);
});
