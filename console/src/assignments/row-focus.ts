import { defaultRangeExtractor, type Range } from "@tanstack/react-virtual";
import type { KeyboardEvent } from "react";

/** The arrow keys move the focus to the same element of the row above or below, also in a list. Enter on a box opens its row. */
export function moveBetweenRows(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" } as const;
  const way = step[event.key as keyof typeof step];
  const focused = document.activeElement;
  if (event.key === "Enter" && focused?.matches("input")) {
    focused.closest("tr")?.querySelector<HTMLElement>(".opener")?.click();
  }
  if (way === undefined || !focused) return;
  const kind = ["input", ".cell-edit", ".facet-option"].find((one) => focused.matches(one)) ?? ".opener";
  const target = (focused.closest("tr") ?? focused.closest("li"))?.[way]?.querySelector<HTMLElement>(kind);
  if (target) {
    event.preventDefault();
    target.focus();
    target.scrollIntoView({ block: "nearest" });
  }
}

/**
 * The visible rows and the one with the focus, wherever it is, because a row outside of the document would lose the
 * focus. Its neighbors are included, so the arrow keys can move on.
 */
export function withFocusedRow(range: Range): number[] {
  const inSight = defaultRangeExtractor(range);
  const focused = document.activeElement?.closest<HTMLElement>(".table tr[data-index]")?.dataset.index;
  if (focused === undefined) return inSight;
  const near = [-1, 0, 1].map((step) => Number(focused) + step).filter((index) => index >= 0 && index < range.count);
  return [...new Set([...inSight, ...near])].sort((one, other) => one - other);
}
