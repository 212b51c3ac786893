import { fireEvent, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { openConsole } from "../support/console.tsx";
// Loaded before, so that no test waits for it.
import "../../src/search/search-dialog.tsx";

async function open() {
  openConsole("/assignments", { authorizations: { listAuthorizations: () => ({ pagination: {} }) } });
  await screen.findByRole("searchbox", { name: "Search people" });
}

const pressSearch = (target: Element, more: KeyboardEventInit = {}) =>
  fireEvent.keyDown(target, { key: "k", ctrlKey: true, ...more });

it("Ctrl K searches, also from a text field", async () => {
  await open();
  pressSearch(screen.getByRole("searchbox", { name: "Search people" }));
  expect(await screen.findByRole("dialog", { name: "Search everything" })).toBeDefined();
});

it("no key alone does anything, because people may dictate", async () => {
  await open();
  for (const key of ["?", "/", "n", "f", "k", "z"]) expect(fireEvent.keyDown(document.body, { key })).toBe(true);
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("no shortcut works while a dialog is open, because it is not about the page behind it", async () => {
  await open();
  fireEvent.click(screen.getByRole("button", { name: "Search" }));
  await screen.findByRole("dialog", { name: "Search everything" });
  pressSearch(document.body);
  expect(screen.getAllByRole("dialog")).toHaveLength(1);
});

it("Ctrl+Shift+K and Ctrl+Shift+Z are the browser's own", async () => {
  await open();
  for (const key of ["K", "Z"]) {
    expect(fireEvent.keyDown(document.body, { key, ctrlKey: true, shiftKey: true })).toBe(true);
  }
  expect(pressSearch(document.body)).toBe(false);
});
