import type { Page, Request } from "playwright-core";

/** How long nothing may be loading, in milliseconds, until a page counts as quiet. */
const longEnough = 500;

/** Waits until nothing is loading any more, but for the stream that follows changes, which never ends. Call it after the page was opened. */
export async function untilQuiet(page: Page): Promise<void> {
  const open = new Set<Request>();
  let changedAt = Date.now();
  const begun = (request: Request) => {
    if (request.url().endsWith("/WatchAuthorizations")) return;
    open.add(request);
    changedAt = Date.now();
  };
  const ended = (request: Request) => {
    if (open.delete(request)) changedAt = Date.now();
  };
  page.on("request", begun).on("requestfinished", ended).on("requestfailed", ended);
  await page.waitForLoadState("load");
  while (open.size > 0 || Date.now() - changedAt < longEnough) await page.waitForTimeout(20);
  page.off("request", begun).off("requestfinished", ended).off("requestfailed", ended);
}
