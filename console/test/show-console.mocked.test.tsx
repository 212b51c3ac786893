import { AuthorizationService, CallerService, State } from "@authorization-service/client";
import { createRouterTransport } from "@connectrpc/connect";
import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
// Gives rows their height.
import "./support/console.tsx";

const { service, skeleton } = vi.hoisted(() => ({
  service: { asked: [] as string[], answers: [] as Promise<unknown>[], list: Promise.withResolvers<void>() },
  skeleton: vi.fn(() => null),
}));

// In development, React's strict mode mounts everything twice, which cancels calls.
vi.mock("react", async (original) => {
  const react = await original<typeof import("react")>();
  return { ...react, StrictMode: react.Fragment };
});
vi.mock("../src/directory/page.tsx", async (original) => ({ ...(await original<object>()), Skeleton: skeleton }));
vi.mock("../src/session/transport.ts", () => {
  const inner = createRouterTransport(({ service: serve }) => {
    serve(CallerService, {
      getCaller() {
        const sources = [{ scope: { scope: { case: "instance" as const, value: true } }, roles: ["IAM_OWNER"] }];
        return { user: { id: "carol" }, permissions: [{ permission: "user.grant.write", sources }] };
      },
    });
    serve(AuthorizationService, {
      async listAuthorizations() {
        await service.list.promise;
        const user = { id: "ann", displayName: "Ann" };
        return { pagination: { totalResult: 1 }, authorizations: [{ id: "1", user, state: State.ACTIVE }] };
      },
    });
  });
  return {
    transport: {
      stream: inner.stream,
      unary(method, ...rest) {
        const answer = inner.unary(method, ...rest);
        service.asked.push(method.name);
        service.answers.push(answer);
        return answer;
      },
    } satisfies typeof inner,
  };
});

beforeEach(() => {
  // A console is never taken away: each test has its own modules, and with them its own session.
  vi.resetModules();
  // Answers stay as old as they are, however slow the machine is.
  vi.useFakeTimers({ toFake: ["Date"] });
  history.replaceState(null, "", "/assignments");
  document.body.innerHTML = '<div id="root"></div>';
  sessionStorage.setItem("authorization-console.token", "token");
  service.asked = [];
  service.answers = [];
  service.list = Promise.withResolvers();
  skeleton.mockClear();
});
afterEach(() => {
  history.replaceState(null, "", "/");
  sessionStorage.clear();
  vi.useRealTimers();
});

const load = async () => ({ ...(await import("../src/first-calls.ts")), ...(await import("../src/show-console.tsx")) });
const isThere = async () => {
  await screen.findByRole("button", { name: "New assignment" });
  await screen.findByRole("rowheader", { name: /Ann/ });
};

it("answers that come before the view are in it at once, and are not asked for again", async () => {
  const { beginFirstCalls, showConsole } = await load();
  service.list.resolve();
  const queries = beginFirstCalls();
  await Promise.all(service.answers);
  showConsole(queries);
  await isThere();
  expect(skeleton).not.toHaveBeenCalled();
  expect(service.asked).toEqual(["GetCaller", "ListAuthorizations"]);
});

it("an answer that comes later is waited for, and is not asked for again", async () => {
  const { beginFirstCalls, showConsole } = await load();
  showConsole(beginFirstCalls());
  await waitFor(() => expect(skeleton).toHaveBeenCalled());
  service.list.resolve();
  await isThere();
  expect(service.asked).toEqual(["GetCaller", "ListAuthorizations"]);
});
