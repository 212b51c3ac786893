import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { openConsole } from "../support/console.tsx";

const { promise: loaded, resolve: load } = vi.hoisted(() => Promise.withResolvers<void>());
vi.mock("../../src/search/search-dialog.tsx", async (original) => {
  await loaded;
  return await original();
});

async function open() {
  openConsole("/assignments", { authorizations: { listAuthorizations: () => ({ pagination: {} }) } });
  await screen.findByRole("searchbox", { name: "Search people" });
}

const pressSearch = (target: Element, more: KeyboardEventInit = {}) =>
  fireEvent.keyDown(target, { key: "k", ctrlKey: true, ...more });

it("what is typed before the search is loaded is searched, and reaches nothing behind it", async () => {
  await open();
  const behind = screen.getByRole<HTMLInputElement>("searchbox", { name: "Search people" });
  behind.focus();
  act(() => void pressSearch(behind));
  const early = document.activeElement as HTMLInputElement;
  fireEvent.input(early, { target: { value: "an" } });
  pressSearch(early);
  await act(async () => load());
  const field = await screen.findByRole<HTMLInputElement>("combobox", { name: /^Search people/ });
  expect([document.activeElement, field.value]).toEqual([field, "an"]);
  fireEvent.keyDown(field, { key: "Escape" });
  await waitFor(() => expect(document.activeElement).toBe(behind));
});

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
