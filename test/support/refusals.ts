import { expect } from "vitest";
import type { Answer } from "./server.ts";

export type ExpectedRefusal = {
  readonly status: number;
  readonly code: string;
  readonly reason: string;
  readonly metadata?: Record<string, string>;
};

/** The answer of every change to what never was, what is gone and what the caller cannot see. */
export const notFound: ExpectedRefusal = { status: 404, code: "not_found", reason: "AUTHORIZATION_NOT_FOUND" };

export const unauthenticated: ExpectedRefusal = {
  status: 401,
  code: "unauthenticated",
  reason: "UNAUTHENTICATED",
};

export const overloaded: ExpectedRefusal = { status: 503, code: "unavailable", reason: "OVERLOADED" };

/** The answer to a caller that holds its part already. */
export const rateLimited: ExpectedRefusal = {
  ...{ status: 429, code: "resource_exhausted", reason: "RATE_LIMITED" },
  metadata: { retryAfterSeconds: "1" },
};

/** The answer to a change that meets the directory as it is. */
export function precondition(reason: string): ExpectedRefusal {
  return { status: 400, code: "failed_precondition", reason };
}

export function exists(id: string): ExpectedRefusal {
  return { status: 409, code: "already_exists", reason: "AUTHORIZATION_EXISTS", metadata: { id } };
}

export function denied(permission: string): ExpectedRefusal {
  return { status: 403, code: "permission_denied", reason: "PERMISSION_DENIED", metadata: { permission } };
}

export function changedAt(changeDate: string): ExpectedRefusal {
  return { status: 409, code: "aborted", reason: "AUTHORIZATION_CHANGED", metadata: { changeDate } };
}

export function rolesNotFound(...keys: string[]): ExpectedRefusal {
  const metadata = { roleKeys: JSON.stringify(keys) };
  return { status: 400, code: "failed_precondition", reason: "ROLE_NOT_FOUND", metadata };
}

/** The refusal of a change of the directory, by the index of the change. */
export function deniedAt(index: number, permission: string): ExpectedRefusal {
  return { ...denied(permission), metadata: { permission, index: String(index) } };
}

/** What a batch answers for an item that is refused. */
export function refusedItem({ code, reason, metadata = {} }: ExpectedRefusal, message: string) {
  return { error: { code, reason, message, metadata } };
}

/** That of an item that isn't there. */
export const itemNotFound = refusedItem(notFound, "there is no such authorization, or you can't see it");

/** Fails unless the answer is exactly this refusal; only the wording of its message is free. */
export function expectRefusal(answer: Answer, { status, code, reason, metadata = {} }: ExpectedRefusal): void {
  const domain = "authorization.service";
  const value = errorInfoBytes(reason, domain, metadata).toString("base64").replace(/=+$/, "");
  expect(answer.body).toEqual({
    code,
    message: expect.stringMatching(/./),
    details: [{ type: "google.rpc.ErrorInfo", value, debug: { reason, domain, metadata } }],
  });
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toBe("application/json");
}

/** A google.rpc.ErrorInfo on the wire: 1 reason, 2 domain, 3 metadata; written by hand so that the numbers are checked. */
function errorInfoBytes(reason: string, domain: string, metadata: Record<string, string>): Buffer {
  const entries = Object.entries(metadata).map(([key, value]) =>
    field(3, Buffer.concat([field(1, key), field(2, value)])),
  );
  return Buffer.concat([field(1, reason), field(2, domain), ...entries]);
}

function field(number: number, content: string | Buffer): Buffer {
  const bytes = Buffer.from(content as string);
  const length = bytes.length < 128 ? [bytes.length] : [(bytes.length & 127) | 128, bytes.length >> 7];
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), bytes]);
}
