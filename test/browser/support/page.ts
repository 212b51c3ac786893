import type { Browser, BrowserContext, Page } from "playwright-core";

/** How somebody looks at a page. */
export type Look = {
  /** 1280 pixels unless told otherwise; 360 is the narrowest that has to do. */
  readonly width?: number;
  readonly scheme?: "light" | "dark";
  readonly zone?: string;
  /** British English unless told otherwise. */
  readonly locale?: string;
};

/** A browser as if fresh: with no cache, cookies or storage. */
export function newContext(
  browser: Browser,
  { width = 1_280, scheme = "light", zone = "Europe/Berlin", locale = "en-GB" }: Look = {},
) {
  return browser.newContext({
    viewport: { width, height: 800 },
    colorScheme: scheme,
    reducedMotion: "reduce",
    locale,
    timezoneId: zone,
  });
}

/** Opens an address in a new tab, signed in where there is a token. */
export async function openPage(context: BrowserContext, address: string, token?: string): Promise<Page> {
  const page = await context.newPage();
  if (token !== undefined) {
    // A page of the same origin that is no console.
    const entrance = new URL("/enter", address).href;
    await page.route(entrance, (route) => route.fulfill({ contentType: "text/html", body: emptyPage }));
    await page.goto(entrance);
    await page.evaluate((value) => sessionStorage.setItem("authorization-console.token", value), token);
  }
  await page.goto(address);
  return page;
}

/** Browsers ask for an icon where a page names none. */
const emptyPage = '<link rel="icon" href="data:,">';
