import { CSPProvider } from "@base-ui/react/csp-provider";
import { TransportProvider } from "@connectrpc/connect-query";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { consoleRouter } from "./router.tsx";
import { joinOtherTabs } from "./session/other-tabs.ts";
import { keepAnswers } from "./session/queries.ts";
import { comeBackFromIssuer } from "./session/signing-in.ts";
import { endExpiredSessions } from "./session/token-to-call-with.ts";
import { transport } from "./session/transport.ts";

/** Shows the console in the page. Its first queries have begun. */
export function showConsole(queries: QueryClient): void {
  const root = document.getElementById("root");
  if (root === null) throw new Error("index.html has no #root");

  const router = consoleRouter();
  keepAnswers(queries);
  void comeBackFromIssuer(router);
  joinOtherTabs();
  endExpiredSessions();

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
