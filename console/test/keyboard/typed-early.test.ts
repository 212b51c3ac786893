import { fireEvent } from "@testing-library/react";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { keepTyping } from "../../src/keyboard/typed-early.ts";

beforeEach(() => {
  document.body.innerHTML = "<button>Open</button>";
  keepTyping();
});

/** Whether the page hears of the key. */
function press(key: string, more: KeyboardEventInit = {}): boolean {
  return fireEvent.keyDown(document.querySelector("button") ?? document.body, { key, ...more });
}

/** What the first field of the dialog has, once it is there. */
function arrived(): string {
  document.body.insertAdjacentHTML("beforeend", '<div role="dialog"><input type="text"></div>');
  const field = document.querySelector("input") as HTMLInputElement;
  field.focus();
  return field.value;
}

it("Backspace takes the last letter back", () => {
  for (const key of ["a", "n", "x", "Backspace", "n"]) expect(press(key)).toBe(false);
  expect(arrived()).toBe("ann");
});

it("a key that is still held is no text, and no shortcut", () => {
  for (let times = 0; times < 3; times++) expect(press("n", { repeat: true })).toBe(false);
  press("a");
  expect(arrived()).toBe("a");
});

it("Enter presses the button that has the focus, but not once something was typed", () => {
  expect(press("Enter")).toBe(true);
  press("a");
  expect(press("Enter")).toBe(false);
  expect(arrived()).toBe("a");
});

it("ends after ten seconds, because the dialog may never be there", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  keepTyping();
  vi.advanceTimersByTime(9_999);
  expect(press("a")).toBe(false);
  vi.advanceTimersByTime(1);
  expect(press("a")).toBe(true);
  expect(arrived()).toBe("");
});
