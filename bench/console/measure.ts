import { stat } from "node:fs/promises";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { newContext, openPage } from "../../test/browser/support/page.ts";

/** A first view, from a cold cache. */
export type FirstView = {
  /** From navigation until the first rows are painted, in milliseconds. */
  readonly rowsVisible: number;
  /** From navigation until the main thread has nothing left to do after that. */
  readonly usable: number;
  /** How long the service took to answer the list, as the browser saw it. */
  readonly listAnswered: number;
  readonly scriptBytesGzipped: number;
};

/** Main-thread tasks of more than 50 ms during some work, the longest first, in milliseconds. */
export type LongTasks = readonly number[];

const assets = path.join(import.meta.dirname, "../../console/dist");

export async function measureFirstView(browser: Browser, url: string, token: string): Promise<FirstView> {
  const context = await newContext(browser);
  await context.addInitScript(noteWhenUsable);
  const page = await openPage(context, url, token);
  await page.waitForFunction(() => "usable" in globalThis);
  const { scripts, ...times } = await page.evaluate(() => {
    const resources = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    return {
      rowsVisible: Reflect.get(globalThis, "rowsVisible") as number,
      usable: Reflect.get(globalThis, "usable") as number,
      listAnswered: resources.find(({ name }) => name.endsWith("/ListAuthorizations"))?.duration ?? Number.NaN,
      scripts: resources.map(({ name }) => new URL(name).pathname).filter((name) => name.endsWith(".js")),
    };
  });
  await context.close();
  const sizes = await Promise.all(scripts.map(async (name) => (await stat(path.join(assets, `${name}.gz`))).size));
  return { ...times, scriptBytesGzipped: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Runs in the page before its own code. */
function noteWhenUsable(): void {
  const observer = new MutationObserver(() => {
    if (document.querySelector('tbody th[scope="row"]') === null) return;
    observer.disconnect();
    // The second frame begins when the first one, with the rows, is on its way to the screen.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        Reflect.set(globalThis, "rowsVisible", performance.now());
        requestIdleCallback(() => Reflect.set(globalThis, "usable", performance.now()));
      }),
    );
  });
  observer.observe(document, { childList: true, subtree: true });
}

export const work = {
  "scrolling through 1,000 rows": { address: "/?limit=1000", run: scroll },
  "typing into the search": { address: "/", run: type },
  "sorting and paging": { address: "/", run: sortAndPage },
} as const;

/** What blocks the main thread while somebody works, once the page is usable. */
export async function measureLongTasks(
  browser: Browser,
  { url, token, address, run }: { url: string; token: string; address: string; run: (page: Page) => Promise<void> },
): Promise<LongTasks> {
  const context = await newContext(browser);
  await context.addInitScript(noteWhenUsable);
  const page = await openPage(context, url + address, token);
  await page.waitForFunction(() => "usable" in globalThis);
  await page.evaluate(() => {
    const tasks: number[] = [];
    Reflect.set(globalThis, "longTasks", tasks);
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: "longtask",
    });
  });
  await run(page);
  await page.waitForLoadState("networkidle");
  const tasks = await page.evaluate(() => Reflect.get(globalThis, "longTasks") as number[]);
  await context.close();
  return tasks.sort((a, b) => b - a);
}

async function scroll(page: Page): Promise<void> {
  await page.mouse.move(600, 500);
  for (let turn = 0; turn < 60; turn += 1) {
    await page.mouse.wheel(0, 600);
    await nextFrame(page);
  }
}

async function type(page: Page): Promise<void> {
  const search = page.getByRole("searchbox", { name: "Search users" });
  await search.click();
  for (const letter of "user 1234") {
    await page.keyboard.press(letter === " " ? "Space" : letter);
    await nextFrame(page);
  }
}

async function sortAndPage(page: Page): Promise<void> {
  for (const name of ["User", "Changed", "Project"]) {
    const answered = page.waitForResponse("**/ListAuthorizations");
    await page.getByRole("button", { name, exact: true }).click();
    await answered;
    await nextFrame(page);
  }
  for (let turn = 0; turn < 3; turn += 1) {
    const answered = page.waitForResponse("**/ListAuthorizations");
    await page.getByRole("link", { name: "Next", exact: true }).click();
    await answered;
    await nextFrame(page);
  }
}

function nextFrame(page: Page): Promise<void> {
  return page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => resolve())));
}
