import { createMemoryHistory, RouterContextProvider } from "@tanstack/react-router";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { consoleRouter } from "../../src/router.tsx";

/** The texts in what is shown, each of an element of its own. */
export function textsOf(children: ReactNode, selector: string): string[] {
  const router = consoleRouter(createMemoryHistory());
  const { container, unmount } = render(<RouterContextProvider router={router}>{children}</RouterContextProvider>);
  const texts = [...container.querySelectorAll(selector)].map(({ textContent }) => textContent ?? "");
  unmount();
  return texts;
}
