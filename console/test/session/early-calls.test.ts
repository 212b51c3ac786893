import { AuthorizationService, CallerService } from "@authorization-service/client";
import { createClient, createRouterTransport } from "@connectrpc/connect";
import { beforeEach, expect, it } from "vitest";
import { withEarlyCalls } from "../../src/session/early-calls.ts";
import { beginSession, endSession } from "../../src/session/session.ts";
import { newSession } from "../../src/session/stored-session.ts";

let calls: string[] = [];

const inner = createRouterTransport(({ service }) => {
  service(AuthorizationService, {
    listAuthorizations({ pagination }) {
      calls.push(`list ${pagination?.limit ?? 0}`);
      return { pagination: { totalResult: pagination?.limit ?? 0 } };
    },
  });
  service(CallerService, {
    getCaller() {
      calls.push("caller");
      throw new Error("away");
    },
  });
});
const early = withEarlyCalls(inner);
const { listAuthorizations } = createClient(AuthorizationService, early.transport);
const method = AuthorizationService.method.listAuthorizations;
const page = (limit: number) => ({ pagination: { limit } });

beforeEach(() => {
  endSession("left");
  beginSession(newSession("first"));
  calls = [];
});

it("the first call with the same request gets the answer of the early one, and later ones are sent", async () => {
  early.begin(method, page(100));
  expect((await listAuthorizations(page(100))).pagination?.totalResult).toBe(100);
  expect(calls).toEqual(["list 100"]);
  await listAuthorizations(page(100));
  expect(calls).toEqual(["list 100", "list 100"]);
});

it("a call with another request, or of another person, is sent", async () => {
  early.begin(method, page(100));
  expect((await listAuthorizations(page(50))).pagination?.totalResult).toBe(50);
  beginSession(newSession("second"));
  await listAuthorizations(page(100));
  expect(calls).toEqual(["list 100", "list 50", "list 100"]);
});

it("a failed early call fails where the view makes it", async () => {
  early.begin(CallerService.method.getCaller, {});
  await expect(createClient(CallerService, early.transport).getCaller({})).rejects.toThrow();
  expect(calls).toEqual(["caller"]);
});
