import { act, fireEvent, screen } from "@testing-library/react";
import { expect, it, onTestFinished, vi } from "vitest";
import { announce } from "../../src/parts/announcements.tsx";
import { show } from "./show.tsx";
import { worldOf } from "./world.ts";

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
