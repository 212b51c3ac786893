import { expect } from "vitest";
import type { Answer } from "./server.ts";

/** The paths in the message of an answer and the rules in its detail, in pairs; none if nothing is refused. */
export function violationsOf({ body }: Answer): [path: string, rule: string][] {
  const violations: { ruleId: string }[] = body.details?.[0]?.debug?.violations ?? [];
  const paths = (body.message ?? "").split("; ").map((part: string) => part.split(": ", 1)[0] ?? "");
  return violations.map(({ ruleId }, index) => [paths[index] ?? "", ruleId]);
}

/** Fails unless the answer is refused with exactly these paths in its message and these rules in its only detail. */
export function expectViolations(answer: Answer, ...expected: (readonly [path: string, rule: string])[]): void {
  expect([answer.status, answer.body.code, answer.body.details?.length]).toEqual([400, "invalid_argument", 1]);
  expect(answer.headers.get("content-type")).toBe("application/json");
  const [{ type, value }] = answer.body.details;
  expect([type, value]).toEqual(["buf.validate.Violations", expect.stringMatching(/^[A-Za-z0-9+/]+$/)]);
  expect(answer.body.message.split("; ")).toHaveLength(expected.length);
  expect(violationsOf(answer), JSON.stringify(answer.body)).toEqual(expected);
}
