import { expect } from "vitest";
import { test } from "./support/visit.ts";

const stopped = /Content Security Policy|requires 'TrustedScript' assignment/;

test("the page's policy stops code and styles written into it, and calls to other hosts", async ({ visit }) => {
  const page = await visit("/assignments", { as: "carol", expects: stopped });
  await page.getByRole("rowheader").first().waitFor();
  const reached = await page.evaluate(async () => {
    const style = document.createElement("style");
    style.textContent = "body { color: rgb(1, 2, 3) }";
    document.head.append(style);
    const ways = {
      style: () => getComputedStyle(document.body).color === "rgb(1, 2, 3)",
      call: () => fetch("http://127.0.0.1:9/"),
      code: () => {
        const script = document.createElement("script");
        script.textContent = "globalThis.written = true";
        document.head.append(script);
        return "written" in globalThis;
      },
    };
    const succeeded = [];
    for (const [name, attempt] of Object.entries(ways)) {
      const result = await Promise.try(attempt as () => unknown).catch(() => false);
      if (result) succeeded.push(name);
    }
    return succeeded;
  });
  expect(reached).toEqual([]);
});
