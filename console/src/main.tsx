import "./styles/base.css";
import "./styles/frame.css";
import { CSPProvider } from "@base-ui/react/csp-provider";
import { TransportProvider } from "@connectrpc/connect-query";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { consoleRouter } from "./router.tsx";
import { queryClient } from "./session/queries.ts";
import { transport } from "./session/transport.ts";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");

const router = consoleRouter();

createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <TransportProvider transport={transport}>
        <QueryClientProvider client={queryClient()}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </TransportProvider>
    </CSPProvider>
  </StrictMode>,
);
