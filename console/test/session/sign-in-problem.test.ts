import { ErrorResponse } from "oidc-client-ts";
import { expect, it } from "vitest";
import { problemOf } from "../../src/session/signing-in.ts";

const refusal = (error: string, error_description: string | null = null) =>
  new ErrorResponse({ error, error_description });

it.each([
  ["access_denied", "Access was refused at id.example."],
  ["invalid_grant", "Signing in took too long."],
  ["temporarily_unavailable", "id.example is too busy."],
])("says what %s means", (error, text) => {
  expect(problemOf(refusal(error), "id.example")).toContain(text);
});

it("passes on what else an issuer says, for whoever runs the service", () => {
  const problem = problemOf(refusal("invalid_scope", "no such scope"), "id.example");
  expect(problem).toContain("id.example doesn't let this page sign people in");
  expect(problem).toContain("invalid_scope: no such scope");
});

it.each([
  [new Error("No matching state found in storage"), "began in another tab"],
  [new TypeError("Failed to fetch"), "id.example can't be reached"],
  [new Error("nonce in id_token does not match"), "The answer of id.example can't be used"],
])("tells %s in words", (error, text) => {
  Object.assign(globalThis, { isSecureContext: true });
  expect(problemOf(error, "id.example")).toContain(text);
});

it("says that an http:// address cannot do it", () => {
  Object.assign(globalThis, { isSecureContext: false });
  const problem = problemOf(new Error("Crypto.subtle is available only in secure contexts (HTTPS)."), "id.example");
  expect(problem).toContain("only at an https:// address");
});
