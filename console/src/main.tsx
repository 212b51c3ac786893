import "./styles/base.css";
import "./styles/frame.css";
import { CSPProvider } from "@base-ui/react/csp-provider";
import { TransportProvider } from "@connectrpc/connect-query";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { consoleRouter } from "./router.tsx";
import { comeBackFromIssuer } from "./session/issuer-sign-in.ts";
import { queryClient } from "./session/queries.ts";
import { currentSession, onSessionChange } from "./session/session.ts";
import { endExpiredSessions } from "./session/token-to-call-with.ts";
import { transport } from "./session/transport.ts";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");

const router = consoleRouter();
const queries = queryClient();
// Whoever signs in next must not see for a moment what somebody else was shown.
onSessionChange(() => {
  if (currentSession().token === undefined) queries.clear();
});
endExpiredSessions();
void comeBackFromIssuer(router);

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
