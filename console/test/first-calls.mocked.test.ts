import { AuthorizationService, CallerService } from "@authorization-service/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { beginFirstCalls } from "../src/first-calls.ts";
import { beginSession, endSession } from "../src/session/session.ts";
import { newSession } from "../src/session/stored-session.ts";

const { begin } = vi.hoisted(() => ({ begin: vi.fn() }));
vi.mock("../src/session/transport.ts", () => ({ early: { begin } }));

const called = () => begin.mock.calls.map(([method]) => method);

beforeEach(() => void begin.mockReset());
afterEach(() => endSession("new"));

it("the first calls of the table are who is signed in and the list", () => {
  beginSession(newSession("token"));
  beginFirstCalls();
  expect(called()).toEqual([CallerService.method.getCaller, AuthorizationService.method.listAuthorizations]);
});

it("there are none while no one is signed in", () => {
  beginFirstCalls();
  expect(called()).toEqual([]);
});

it("there are none with a token that has to be renewed first, because another tab may have a newer one", () => {
  beginSession(newSession("token", { expiresAt: Date.now() + 10_000, refreshToken: "refresh" }));
  beginFirstCalls();
  expect(called()).toEqual([]);
});
