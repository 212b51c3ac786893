import type { Authorization } from "@authorization-service/client";
import { TransportProvider } from "@connectrpc/connect-query";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, RouterContextProvider } from "@tanstack/react-router";
import { cleanup, render } from "@testing-library/react";
import { type ReactNode, useState } from "react";
import { onTestFinished } from "vitest";
import { useCaller } from "../../src/caller.ts";
import { EditRoles } from "../../src/changes/edit-roles.tsx";
import { Announcements } from "../../src/parts/announcements.tsx";
import { consoleRouter } from "../../src/router.tsx";
import { queryClient } from "../../src/session/queries.ts";
import { beginSession, newSession } from "../../src/session/session.ts";
import { Undo } from "../../src/undo/undo.tsx";
import type { World } from "./world.ts";
// Loaded before, so that no test waits for them.
import "../../src/undo/send-undo.tsx";
import "../../src/changes/batch-dialog.tsx";

/** Shows a part of the console on the world, with the line for outcomes. */
export function show(world: World, part: ReactNode) {
  const around = (inner: ReactNode) => (
    <TransportProvider transport={world.transport}>
      <QueryClientProvider client={client}>
        <RouterContextProvider router={router}>{inner}</RouterContextProvider>
        <Announcements />
        <Undo />
      </QueryClientProvider>
    </TransportProvider>
  );
  beginSession(newSession("token"));
  const client = queryClient();
  const router = consoleRouter(createMemoryHistory());
  onTestFinished(cleanup);
  const page = render(around(part));
  return { ...page, client, reshow: (next: ReactNode) => page.rerender(around(next)) };
}

/** Something that is still on its way until it is let go. */
export function held() {
  return Promise.withResolvers<void>();
}

// happy-dom lays nothing out: what scrolls is as high as a window.
for (const [name, pixels] of Object.entries({ clientHeight: 900, clientWidth: 1_000, offsetHeight: 53 })) {
  Object.defineProperty(HTMLElement.prototype, name, { get: () => pixels, configurable: true });
}

/** Edits the roles of an assignment, until it is closed. */
export function Editing({ shown, onClose }: { shown: Authorization; onClose?: () => void }) {
  // Only who is known to be allowed to edit has the button.
  const caller = useCaller();
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  const [isOpen, setOpen] = useState(true);
  const close = () => {
    setOpen(false);
    onClose?.();
  };
  return (
    <>
      <button type="button" ref={setOpener}>
        Edit
      </button>
      {caller && opener && isOpen && <EditRoles shown={shown} opener={opener} onClose={close} />}
    </>
  );
}
