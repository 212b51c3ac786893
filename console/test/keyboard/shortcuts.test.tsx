import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it, onTestFinished } from "vitest";
import { setSingleKeys } from "../../src/keyboard/single-keys.ts";
import { openConsole } from "../support/console.tsx";
// Loaded before, so that no test waits for it.
import "../../src/keyboard/keys-dialog.tsx";

async function open() {
  onTestFinished(() => setSingleKeys(true));
  openConsole("/assignments", { authorizations: { listAuthorizations: () => ({ pagination: {} }) } });
  await screen.findByRole("searchbox", { name: "Search people" });
}

const keys = () => screen.queryByRole("dialog", { name: "Keyboard shortcuts" });

it("? lists the keys, and Escape closes the list", async () => {
  await open();
  fireEvent.keyDown(document.body, { key: "?" });
  expect(await screen.findByRole("row", { name: /K Search everything$/ })).toBeDefined();
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "Escape" });
  await waitFor(() => expect(keys()).toBeNull());
});

it("the list of keys has the focus itself, and gives it back when ? or Escape closes it", async () => {
  await open();
  const before = screen.getByRole("button", { name: /^Refresh/ });
  for (const closing of ["?", "Escape"]) {
    before.focus();
    fireEvent.keyDown(before, { key: "?" });
    await waitFor(() => expect(keys()).toBe(document.activeElement));
    fireEvent.keyDown(document.activeElement ?? document.body, { key: closing });
    await waitFor(() => expect(keys()).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(before));
  }
});

it("a button on every page opens the list of keys, and shows its key while the key works", async () => {
  await open();
  const button = screen.getByRole("button", { name: "Keyboard shortcuts" });
  expect(button.textContent).toBe("?");
  button.focus();
  fireEvent.click(button);
  fireEvent.click(await screen.findByRole("checkbox", { name: "Use shortcuts of a single key" }));
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(document.activeElement).toBe(button));
  expect(button.textContent).toBe("");
  expect(button.querySelector("svg")).not.toBeNull();
});

it("a key that is typed into a field is text", async () => {
  await open();
  fireEvent.keyDown(screen.getByRole("searchbox", { name: "Search people" }), { key: "?" });
  expect(keys()).toBeNull();
});

it("shortcuts of a single key can be turned off, those with Ctrl stay", async () => {
  await open();
  fireEvent.keyDown(document.body, { key: "?" });
  fireEvent.click(await screen.findByRole("checkbox", { name: "Use shortcuts of a single key" }));
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(keys()).toBeNull());
  fireEvent.keyDown(document.body, { key: "?" });
  fireEvent.keyDown(document.body, { key: "k", ctrlKey: true });
  expect(await screen.findByRole("dialog", { name: "Search everything" })).toBeDefined();
  expect(keys()).toBeNull();
});

it("/ leads to the search of the table, N to a new assignment, and F shows the counts", async () => {
  await open();
  fireEvent.keyDown(document.body, { key: "/" });
  expect(document.activeElement).toBe(screen.getByRole("searchbox", { name: "Search people" }));
  (document.activeElement as HTMLElement).blur();
  fireEvent.keyDown(document.body, { key: "f" });
  expect(await screen.findByRole("complementary", { name: "Narrow down" })).toBeDefined();
  await screen.findByRole("button", { name: "New assignment" });
  fireEvent.keyDown(document.body, { key: "n" });
  expect(await screen.findByRole("dialog", { name: "New assignment" })).toBeDefined();
});

it("no shortcut works while a dialog is open, because it is not about the page behind it", async () => {
  await open();
  fireEvent.keyDown(document.body, { key: "?" });
  await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
  fireEvent.keyDown(document.body, { key: "n" });
  fireEvent.keyDown(document.body, { key: "k", ctrlKey: true });
  expect(screen.getAllByRole("dialog")).toHaveLength(1);
});

it("Ctrl+Shift+K and Ctrl+Shift+Z are the browser's own", async () => {
  await open();
  for (const key of ["K", "Z"]) {
    expect(fireEvent.keyDown(document.body, { key, ctrlKey: true, shiftKey: true })).toBe(true);
  }
  expect(fireEvent.keyDown(document.body, { key: "k", ctrlKey: true })).toBe(false);
});
