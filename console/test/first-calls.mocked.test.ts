import { AuthorizationService, CallerService } from "@authorization-service/client";
import { createRouterTransport } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { beginFirstCalls } from "../src/first-calls.ts";
import { beginSession, endSession, newSession } from "../src/session/session.ts";

const { called } = vi.hoisted(() => ({ called: [] as string[] }));
vi.mock("../src/session/transport.ts", () => {
  const inner = createRouterTransport(({ service }) => {
    service(CallerService, { getCaller: () => ({}) });
    service(AuthorizationService, { listAuthorizations: () => ({}) });
  });
  return {
    transport: {
      ...inner,
      unary(method, ...rest) {
        called.push(method.name);
        return inner.unary(method, ...rest);
      },
    } satisfies typeof inner,
  };
});

beforeEach(() => void called.splice(0));
afterEach(() => endSession("new"));

it("the first calls of the table are who is signed in and the list", () => {
  beginSession(newSession("token"));
  beginFirstCalls();
  expect(called).toEqual(["GetCaller", "ListAuthorizations"]);
});

it("the list isn't among them where the address has parameters, because it is another one", () => {
  history.replaceState(null, "", "/assignments?sort=user");
  onTestFinished(() => history.replaceState(null, "", "/"));
  beginSession(newSession("token"));
  beginFirstCalls();
  expect(called).toEqual(["GetCaller"]);
});

it("there are none while no one is signed in", () => {
  beginFirstCalls();
  expect(called).toEqual([]);
});

it("there are none with a token that has to be renewed first, because another tab may have a newer one", () => {
  beginSession(newSession("token", { expiresAt: Date.now() + 10_000, refreshToken: "refresh" }));
  beginFirstCalls();
  expect(called).toEqual([]);
});
