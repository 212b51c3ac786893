import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { expect, it, onTestFinished, vi } from "vitest";
import { announce } from "../../src/parts/announcements.tsx";
import { world } from "../directory/world.ts";
import { openConsole } from "../support/console.tsx";
import { show } from "./show.tsx";
import { worldOf } from "./world.ts";
// Loaded before, so that no test waits for them.
import "../../src/people/people-page.tsx";
import "../../src/project/project-page.tsx";
import "../../src/projects/projects-page.tsx";

it("an outcome stays until it is closed or the next one comes", () => {
  show(worldOf(), null);
  act(() => announce({ text: "One" }));
  expect(screen.getByText("One").closest("[aria-live]")?.getAttribute("aria-live")).toBe("polite");
  act(() => announce({ text: "Two", failed: true }));
  expect(screen.queryByText("One")).toBeNull();
  expect(screen.getByText("Two").closest("[aria-live]")?.getAttribute("aria-live")).toBe("assertive");
  fireEvent.click(screen.getByRole("button", { name: "Close the message" }));
  expect(screen.queryByText("Two")).toBeNull();
});

it("what is offered with it is done once", () => {
  show(worldOf(), null);
  const run = vi.fn();
  act(() => announce({ text: "Done", action: { label: "Undo", run } }));
  const undo = screen.getByRole("button", { name: "Undo" });
  fireEvent.click(undo);
  fireEvent.click(undo);
  expect(run).toHaveBeenCalledTimes(1);
});

it("what ends after the session is not told to whoever signs in next", () => {
  announce({ text: "Of the last session" });
  show(worldOf(), null);
  expect(screen.queryByText("Of the last session")).toBeNull();
});

it("an outcome that can be undone stays, and others disappear after a while", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  show(worldOf(), null);
  act(() => announce({ text: "Read" }));
  act(() => void vi.advanceTimersByTime(3_600_000));
  expect(screen.queryByText("Read")).toBeNull();
  act(() => announce({ text: "Done", action: { label: "Undo", run: () => {} } }));
  act(() => void vi.advanceTimersByTime(3_600_000));
  expect(screen.getByRole("button", { name: "Undo" })).toBeDefined();
});

/** The console on the page of a project, with the message there. */
async function openWith(announcement: Parameters<typeof announce>[0]) {
  const { router } = openConsole("/project?id=p-shop", world());
  await screen.findByRole("heading", { level: 1, name: "Shop" });
  act(() => announce(announcement));
  const message = () => screen.queryByText(announcement.text);
  return { message, go: (href: string) => act(() => router.navigate({ href })) };
}

it("an outcome ends with its page, also one that can be undone", async () => {
  for (const action of [undefined, { label: "Undo", run: () => {} }]) {
    const { message, go } = await openWith({ text: "Done", ...(action && { action }) });
    expect(message()).not.toBeNull();
    await go("/project?id=p-shop");
    expect(message()).not.toBeNull();
    await go("/project?id=p-other");
    expect(message()).toBeNull();
    cleanup();
  }
});

it("a failure stays on the next page, so it doesn't go unnoticed", async () => {
  const { message, go } = await openWith({ text: "Not done", failed: true });
  await go("/people");
  expect(message()).not.toBeNull();
});

it("the outcome of a change that leads to another page belongs there", async () => {
  const { message, go } = await openWith({ text: "Of before" });
  await act(async () => {
    announce({ text: "Removed" });
    await go("/projects");
  });
  expect(message()).toBeNull();
  expect(screen.getByText("Removed")).toBeDefined();
  await go("/people");
  expect(screen.queryByText("Removed")).toBeNull();
});

it("the table stays the same page with other filters and with a panel", async () => {
  const { message, go } = await openWith({ text: "Of before" });
  await go("/assignments");
  expect(message()).toBeNull();
  act(() => announce({ text: "Done" }));
  await go("/assignments?id=1&sort=changed");
  expect(screen.getByText("Done")).toBeDefined();
});
