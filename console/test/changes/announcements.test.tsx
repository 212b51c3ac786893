import { act, fireEvent, screen } from "@testing-library/react";
import { expect, it, onTestFinished, vi } from "vitest";
import { announce } from "../../src/parts/announcements.tsx";
import { endSession } from "../../src/session/session.ts";
import { world } from "../directory/world.ts";
import { openConsole } from "../support/console.tsx";
import { show } from "./show.tsx";
import { worldOf } from "./world.ts";
// Loaded before, so that no test waits for them.
import "../../src/project/project-page.tsx";
import "../../src/projects/projects-page.tsx";

it("an outcome stays until it is closed or the next one comes", () => {
  show(worldOf(), null);
  act(() => announce({ text: "One", failed: false }));
  expect(screen.getByText("One").closest("[aria-live]")?.getAttribute("aria-live")).toBe("polite");
  expect(screen.getByText("One").closest("[data-failed]")).toBeNull();
  act(() => announce({ text: "Two", failed: true }));
  expect(screen.queryByText("One")).toBeNull();
  expect(screen.getByText("Two").closest("[data-failed]")).not.toBeNull();
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
  endSession("left");
  announce({ text: "Of the last session" });
  show(worldOf(), null);
  expect(screen.queryByText("Of the last session")).toBeNull();
});

it("an outcome disappears after a while, also one that can still be undone at the top; a failure stays", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  show(worldOf(), null);
  for (const action of [undefined, { label: "Undo", run: () => {} }]) {
    act(() => announce({ text: "Done", ...(action && { action }) }));
    act(() => void vi.advanceTimersByTime(29_000));
    expect(screen.getByText("Done")).toBeDefined();
    act(() => void vi.advanceTimersByTime(1_000));
    expect(screen.queryByText("Done")).toBeNull();
  }
  act(() => announce({ text: "Not done", failed: true }));
  act(() => void vi.advanceTimersByTime(3_600_000));
  expect(screen.getByText("Not done")).toBeDefined();
});

it("an outcome stays on the next page, because a change can lead there", async () => {
  const { router } = openConsole("/project?id=p-shop", world());
  await screen.findByRole("heading", { level: 1, name: "Shop" });
  act(() => announce({ text: "Removed" }));
  await act(() => router.navigate({ href: "/projects" }));
  expect(screen.getByText("Removed")).toBeDefined();
});
