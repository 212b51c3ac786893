import { act, fireEvent, screen, within } from "@testing-library/react";
import { useEffect, useState } from "react";
import { expect, it, vi } from "vitest";
import { openConsole } from "../support/console.tsx";
import { world } from "./world.ts";
// Loaded before, so that no test waits for it.
import "../../src/people/people-page.tsx";

const { page } = vi.hoisted(() => ({ page: Promise.withResolvers<void>() }));

vi.mock("../../src/person/person-page.tsx", async (original) => {
  await page.promise;
  return original();
});
vi.mock("../../src/pickers/found.ts", async (original) => ({
  ...(await original<typeof import("../../src/pickers/found.ts")>()),
  useSettled(text: string) {
    const [settled, setSettled] = useState(text);
    useEffect(() => {
      const settle = () => setSettled(text);
      window.addEventListener("pause", settle);
      return () => window.removeEventListener("pause", settle);
    }, [text]);
    return settled;
  },
}));

it("a pause in typing doesn't take the reader back from a page that is still loading", async () => {
  const { router } = openConsole("/people", world());
  const table = await screen.findByRole("table", { name: "People" });
  fireEvent.change(screen.getByRole("searchbox", { name: "Search by name" }), { target: { value: "ann" } });
  fireEvent.click(within(table).getByRole("link", { name: "Ann Keller" }));
  expect(router.latestLocation.pathname).toBe("/person");
  act(() => void window.dispatchEvent(new Event("pause")));
  page.resolve();
  await screen.findByRole("heading", { name: "Ann Keller" });
  expect(router.state.location.pathname).toBe("/person");
});
