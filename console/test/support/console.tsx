import {
  AuthorizationHistoryService,
  AuthorizationService,
  CallerService,
  OverviewService,
  TokenService,
} from "@authorization-service/client";
import { DirectoryHistoryService, DirectoryService } from "@authorization-service/client/directory";
import { createRouterTransport, type ServiceImpl } from "@connectrpc/connect";
import { TransportProvider } from "@connectrpc/connect-query";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { cleanup, render } from "@testing-library/react";
import { onTestFinished } from "vitest";
import { consoleRouter } from "../../src/router.tsx";
import { queryClient } from "../../src/session/queries.ts";
import { beginSession, newSession } from "../../src/session/session.ts";

/** A service that answers as told; who calls owns the instance unless told otherwise. */
export type FakeService = {
  readonly authorizations?: Partial<ServiceImpl<typeof AuthorizationService>>;
  readonly caller?: Partial<ServiceImpl<typeof CallerService>>;
  readonly history?: Partial<ServiceImpl<typeof AuthorizationHistoryService>>;
  readonly overview?: Partial<ServiceImpl<typeof OverviewService>>;
  readonly directory?: Partial<ServiceImpl<typeof DirectoryService>>;
  readonly directoryHistory?: Partial<ServiceImpl<typeof DirectoryHistoryService>>;
  readonly tokens?: Partial<ServiceImpl<typeof TokenService>>;
};

/** Everything is in sight: the simulated document has no layout. */
class AlwaysInSight {
  readonly #tell: (entries: readonly { readonly isIntersecting: boolean }[]) => void;
  constructor(tell: (entries: readonly { readonly isIntersecting: boolean }[]) => void) {
    this.#tell = tell;
  }
  observe() {
    this.#tell([{ isIntersecting: true }]);
  }
  disconnect() {}
}
Object.assign(window, { IntersectionObserver: AlwaysInSight });

/** Opens the console at an address, signed in, on a service that answers as told. */
export function openConsole(address: string, service: FakeService) {
  // Here, because files of tests share this module: at its top level it would count for the first of them alone.
  onTestFinished(cleanup);
  beginSession(newSession("token"));
  const router = consoleRouter(createMemoryHistory({ initialEntries: [address] }));
  const transport = createRouterTransport(({ service: serve }) => {
    serve(AuthorizationService, service.authorizations ?? {});
    serve(CallerService, { getCaller: instanceOwner, ...service.caller });
    serve(AuthorizationHistoryService, service.history ?? {});
    serve(OverviewService, service.overview ?? {});
    serve(DirectoryService, service.directory ?? {});
    serve(DirectoryHistoryService, { listDirectoryEvents: () => ({}), ...service.directoryHistory });
    serve(TokenService, { listTokens: () => ({}), ...service.tokens });
  });
  const client = queryClient();
  const page = render(
    <TransportProvider transport={transport}>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </TransportProvider>,
  );
  return { ...page, router, client };
}

function instanceOwner() {
  const sources = [{ scope: { scope: { case: "instance" as const, value: true } }, roles: ["IAM_OWNER"] }];
  return {
    user: { id: "carol", displayName: "Carol" },
    permissions: ["user.grant.read", "user.grant.write", "user.grant.delete"].map((permission) => ({
      permission,
      sources,
    })),
  };
}

// happy-dom lays nothing out: what scrolls is as high as a window, every row as high as one with two lines.
for (const [name, pixels] of Object.entries({ clientHeight: 900, clientWidth: 1_000, offsetHeight: 53 })) {
  Object.defineProperty(HTMLElement.prototype, name, { get: () => pixels, configurable: true });
}
