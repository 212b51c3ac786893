import { stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { newContext, openPage } from "../../test/browser/support/page.ts";
import { untilQuiet } from "../../test/browser/support/quiet.ts";

/** A first view, from a cold cache. */
export type FirstView = {
  /** From navigation until the first rows are painted, in milliseconds. */
  readonly rowsVisible: number;
  /** From navigation until the main thread has nothing left to do after that. */
  readonly usable: number;
  /** How long the service took to answer the list, as the browser saw it. */
  readonly listAnswered: number;
  /** With everything that the rows load. */
  readonly scriptBytesGzipped: number;
  readonly longTasks: LongTasks;
};

/** Main-thread tasks of more than 50 ms during some work, the longest first, in milliseconds. */
export type LongTasks = readonly number[];

const assets = path.join(import.meta.dirname, "../../console/dist");

export async function measureFirstView(browser: Browser, url: string, token: string): Promise<FirstView> {
  const context = await settledContext(browser);
  await context.addInitScript(noteWhenUsable, rows);
  const page = await openPage(context, `${url}/assignments`, token);
  await page.waitForFunction(() => "usable" in globalThis);
  const { scripts, ...times } = await page.evaluate(() => {
    const resources = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    return {
      rowsVisible: Reflect.get(globalThis, "rowsVisible") as number,
      usable: Reflect.get(globalThis, "usable") as number,
      listAnswered: resources.find(({ name }) => name.endsWith("/ListAuthorizations"))?.duration ?? Number.NaN,
      longTasks: Reflect.get(globalThis, "longTasks") as number[],
      scripts: resources.map(({ name }) => new URL(name).pathname).filter((name) => name.endsWith(".js")),
    };
  });
  await context.close();
  const sizes = await Promise.all(scripts.map(sizeOf));
  return { ...times, scriptBytesGzipped: sizes.reduce((sum, size) => sum + size, 0) };
}

/**
 * A context with a window that is there already. Chromium loads the pages of its own address bar into each new window,
 * in processes that take the cores from the page that is measured.
 */
async function settledContext(browser: Browser): Promise<BrowserContext> {
  const context = await newContext(browser);
  await context.newPage();
  await pause(windowMs);
  return context;
}

const windowMs = 2_000;

/** Tiny files are not compressed. */
async function sizeOf(name: string): Promise<number> {
  const file = path.join(assets, name);
  return (await stat(`${file}.gz`).catch(() => stat(file))).size;
}

/** A page of a person: until everything on it is there, or until its address is loaded with an empty cache. */
export type PersonPage = { readonly opened: number; readonly loaded: number; readonly longTasks: LongTasks };

/** Opens the first of the people by a click, and then the same address in a browser with an empty cache. */
export async function measurePersonPage(browser: Browser, url: string, token: string): Promise<PersonPage> {
  const context = await settledContext(browser);
  await context.addInitScript(noteWhenUsable, rows);
  const page = await openPage(context, `${url}/people`, token);
  await page.waitForFunction(() => "usable" in globalThis);
  const opened = await page.evaluate(openFirstPerson);
  const address = page.url();
  const longTasks = await page.evaluate(() => Reflect.get(globalThis, "longTasks") as number[]);
  await context.close();

  const fresh = await settledContext(browser);
  await fresh.addInitScript(noteWhenUsable, person);
  const again = await openPage(fresh, address, token);
  await again.waitForFunction(() => "usable" in globalThis);
  const after = await again.evaluate(() => ({
    loaded: Reflect.get(globalThis, "rowsVisible") as number,
    longTasks: Reflect.get(globalThis, "longTasks") as number[],
  }));
  await fresh.close();
  return { opened, loaded: after.loaded, longTasks: [...longTasks, ...after.longTasks] };
}

/** Runs in the page. Answers how long it took until nothing was loading any more, in milliseconds. */
function openFirstPerson(): Promise<number> {
  const link = document.querySelector<HTMLElement>('tbody th a[href^="/person"]');
  if (link === null) throw new Error("there are no people");
  return new Promise((resolve) => {
    const start = performance.now();
    const observer = new MutationObserver(() => {
      const isThere = location.pathname === "/person" && document.querySelector(".page-section") !== null;
      if (!isThere || document.querySelector(".skeleton") !== null) return;
      observer.disconnect();
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - start)));
    });
    observer.observe(document, { childList: true, subtree: true });
    link.click();
  });
}

/** What is there when a view is, and what is gone. */
type Sight = { readonly there: string; readonly gone: string };

const rows: Sight = { there: 'tbody th[scope="row"]', gone: "nothing" };
const person: Sight = { there: ".page-section", gone: ".skeleton" };

/** Runs in the page before its own code. */
function noteWhenUsable({ there, gone }: Sight): void {
  const tasks: number[] = [];
  Reflect.set(globalThis, "longTasks", tasks);
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: "longtask",
    buffered: true,
  });
  const observer = new MutationObserver(() => {
    if (document.querySelector(there) === null || document.querySelector(gone) !== null) return;
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
  "scrolling through 1,000 rows": { address: "/assignments?limit=1000", run: scroll },
  "typing into the search": { address: "/assignments", run: type },
  "sorting and paging": { address: "/assignments", run: sortAndPage },
} as const;

/** What blocks the main thread while somebody works, once the page is usable. */
export async function measureLongTasks(
  browser: Browser,
  { url, token, address, run }: { url: string; token: string; address: string; run: (page: Page) => Promise<void> },
): Promise<LongTasks> {
  const context = await settledContext(browser);
  await context.addInitScript(noteWhenUsable, rows);
  const page = await openPage(context, url + address, token);
  await page.waitForFunction(() => "usable" in globalThis);
  await page.evaluate(() => (Reflect.get(globalThis, "longTasks") as number[]).splice(0));
  await run(page);
  await untilQuiet(page);
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
  const search = page.getByRole("searchbox", { name: "Search people" });
  await search.click();
  for (const letter of "user 1234") {
    await page.keyboard.press(letter === " " ? "Space" : letter);
    await nextFrame(page);
  }
}

async function sortAndPage(page: Page): Promise<void> {
  for (const name of ["Person", "Changed", "Project"]) {
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
