import "./styles/base.css";
import "./styles/frame.css";
import { CSPProvider } from "@base-ui/react/csp-provider";
import { createQueryOptions, TransportProvider } from "@connectrpc/connect-query";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import type { FirstCall } from "./first-calls.ts";
import { consoleRouter } from "./router.tsx";
import { comeBackFromIssuer } from "./session/issuer-sign-in.ts";
import { keepAnswers } from "./session/kept-answers.ts";
import { joinOtherTabs } from "./session/other-tabs.ts";
import { queryClient } from "./session/queries.ts";
import { endExpiredSessions } from "./session/token-to-call-with.ts";
import { transport } from "./session/transport.ts";

/** Shows the console in the page. Its first calls have begun. */
export function showConsole(calls: readonly FirstCall[]): void {
  const root = document.getElementById("root");
  if (root === null) throw new Error("index.html has no #root");

  const router = consoleRouter();
  const queries = queryClient();
  for (const { method, request } of calls) {
    // A view that finds its answer is rendered once, and not without it first.
    void queries.prefetchQuery(createQueryOptions(method, request, { transport }));
  }
  keepAnswers(queries);
  endExpiredSessions();
  void comeBackFromIssuer(router);
  joinOtherTabs();

  createRoot(root).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <TransportProvider transport={transport}>
          <QueryClientProvider client={queries}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </TransportProvider>
      </CSPProvider>
    </StrictMode>,
  );
}
