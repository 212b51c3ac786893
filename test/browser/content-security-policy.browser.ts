import { describe, expect, inject } from "vitest";
import { untilQuiet } from "./support/quiet.ts";
import { test } from "./support/visit.ts";

const stopped = /Content Security Policy|requires 'TrustedScript' assignment/;

describe("the page's Content-Security-Policy", () => {
  test("allows code, styles and calls of the server and the issuer, and nothing else", async () => {
    const { headers } = await fetch(inject("service").url);
    const policy = (headers.get("content-security-policy") ?? "").split("; ");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("style-src 'self'");
    expect(policy).toContain(`connect-src 'self' ${inject("issuer").url}`);
    expect(policy).toContain("frame-ancestors 'none'");
  });

  test("stops code and styles written into the page, and calls to other hosts", async ({ visit }) => {
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

  test.for(["/", "/assignments", "/history", "/overview"])("is kept by the view at %s", async (address, { visit }) => {
    const page = await visit(address, { as: "carol" });
    await page.getByRole("banner").getByText("Carol").waitFor();
    await untilQuiet(page);
  });
});
