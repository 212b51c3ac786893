import { cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { useScrollToTop } from "../../src/assignments/assignments-table.tsx";

afterEach(cleanup);

it("goes to the beginning with the rows of the next list, and leaves the rows before where they are", () => {
  const scroller = { current: document.createElement("div") };
  const show = ({ list, isOutdated }: { list: string; isOutdated: boolean }) =>
    useScrollToTop(scroller, list, isOutdated);
  const { rerender } = renderHook(show, { initialProps: { list: "first", isOutdated: false } });
  scroller.current.scrollTop = 500;

  rerender({ list: "first", isOutdated: false });
  expect(scroller.current.scrollTop).toBe(500);
  rerender({ list: "second", isOutdated: true });
  expect(scroller.current.scrollTop).toBe(500);
  rerender({ list: "second", isOutdated: false });
  expect(scroller.current.scrollTop).toBe(0);
});
