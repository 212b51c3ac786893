import { describe, expect, test } from "vitest";
import { outcomeOf } from "./answers.ts";
import type { Reply } from "./http.ts";

const done = () => ({ kind: "applied" }) as const;
const kindOf = (reply: Reply, isRead = false) => outcomeOf(reply, isRead, done).kind;

function refusal(code: string, reason?: string, metadata = {}): Reply {
  const details = reason === undefined ? [] : [{ type: "google.rpc.ErrorInfo", debug: { reason, metadata } }];
  return { kind: "answer", status: 400, body: { code, message: "", details } };
}

describe("A write", () => {
  test.each([
    ["a commit that broke", refusal("unavailable", "DATABASE_UNAVAILABLE", { outcome: "unknown" })],
    ["a deadline", refusal("deadline_exceeded")],
    ["a cancel", refusal("canceled")],
    ["a broken connection", { kind: "broken", why: "socket hang up" } as const],
  ])("that ends with %s may have happened, or may yet", (_, reply) => {
    expect(kindOf(reply)).toBe("unknown");
  });

  test.each([
    ["the door", refusal("unavailable", "OVERLOADED")],
    ["the door, too", refusal("resource_exhausted", "OVERLOADED")],
    ["Postgres", refusal("unavailable", "DATABASE_UNAVAILABLE")],
    ["no server", { kind: "not sent", why: "refused" } as const],
  ])("that was turned away at %s surely did not happen", (_, reply) => {
    expect(kindOf(reply)).toBe("nothing");
  });
});

test("A read without an answer did nothing", () => {
  expect(kindOf(refusal("unavailable", "DATABASE_UNAVAILABLE"), true)).toBe("nothing");
  expect(kindOf({ kind: "broken", why: "hung up" }, true)).toBe("nothing");
});

test.each([
  ["internal", { kind: "answer", status: 500, body: { code: "internal" } } as const],
  ["unauthenticated", refusal("unauthenticated", "UNAUTHENTICATED")],
  ["what is no JSON", { kind: "answer", status: 502, body: { code: "not JSON", message: "<html>" } } as const],
  ["nothing, long after the deadline", { kind: "broken", why: "no answer in time" } as const],
])("To answer %s is wrong", (_, reply) => {
  expect(kindOf(reply)).toBe("wrong");
  expect(kindOf(reply, true)).toBe("wrong");
});
