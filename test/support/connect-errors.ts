import { expect } from "vitest";

type AnyAnswer = { readonly status: number; readonly headers: Headers; readonly body: any };

/** Fails unless the answer is an error in Connect's shape: a code and a message, and details only if there are some. */
export function expectError(answer: AnyAnswer, status: number, code: string, message: RegExp | string = /./): void {
  expect({ status: answer.status, code: answer.body?.code, type: answer.headers.get("content-type") }).toEqual({
    status,
    code,
    type: "application/json",
  });
  const expected = typeof message === "string" ? message : expect.stringMatching(message);
  expect({ ...answer.body, details: undefined }).toEqual({ code, message: expected, details: undefined });
  if ("details" in answer.body) expect(answer.body.details.length).toBeGreaterThan(0);
}
