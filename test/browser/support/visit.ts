import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { test as base, expect, inject } from "vitest";
import type { Tokens } from "./process.ts";

export type VisitOptions = {
  /** Signed in with this person's token; nobody unless told otherwise. */
  readonly as?: keyof Tokens;
  /** 1280 pixels unless told otherwise; 360 is the narrowest that has to do. */
  readonly width?: number;
  readonly scheme?: "light" | "dark";
  readonly zone?: string;
  /** Errors of the browser's console that the test is about; any other fails it. */
  readonly expects?: RegExp;
  /** Another service than that of the run. */
  readonly service?: { readonly url: string; readonly tokens: Tokens };
};

/** Opens an address of the console in a browser context of its own, as a person with a fresh browser would. */
export type Visit = (address: string, options?: VisitOptions) => Promise<Page>;

/**
 * Tests that open pages. Whatever the browser complains of fails the test at its end: errors in its console, errors
 * nobody caught, what the Content-Security-Policy stopped, and requests to any host but the service and the issuer.
 */
export const test = base.extend<{ visit: Visit }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures are needed.
  visit: async ({}, use) => {
    const contexts: BrowserContext[] = [];
    const complaints: string[] = [];
    await use(async (address, options = {}) => {
      const context = await newContext(options);
      contexts.push(context);
      watch(context, options, complaints);
      return openPage(context, address, options);
    });
    await Promise.all(contexts.map((context) => context.close()));
    expect(complaints).toEqual([]);
  },
});

/** A second page of the same browser, as a link opened in a new tab is: it has the cookies, not the session. */
export async function openPage(context: BrowserContext, address: string, options: VisitOptions = {}): Promise<Page> {
  const { url, tokens } = options.service ?? inject("service");
  const page = await context.newPage();
  if (options.as !== undefined) {
    // A page of the same origin that is no console.
    await page.route(`${url}/enter`, (route) => route.fulfill({ contentType: "text/html", body: emptyPage }));
    await page.goto(`${url}/enter`);
    await page.evaluate((token) => sessionStorage.setItem("authorization-console.token", token), tokens[options.as]);
  }
  await page.goto(url + address);
  return page;
}

/** Browsers ask for an icon where a page names none. */
const emptyPage = '<link rel="icon" href="data:,">';

let browser: Promise<Browser> | undefined;

async function newContext({ width = 1_280, scheme = "light", zone = "Europe/Berlin" }: VisitOptions) {
  browser ??= chromium.connect(inject("browser"));
  const context = await (await browser).newContext({
    viewport: { width, height: 800 },
    colorScheme: scheme,
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: zone,
  });
  context.setDefaultTimeout(10_000);
  return context;
}

function watch(context: BrowserContext, { expects, service }: VisitOptions, complaints: string[]): void {
  const known = [(service ?? inject("service")).url, inject("issuer").url];
  context.on("console", (message) => {
    const text = message.text();
    if (message.type() === "error" && !expects?.test(text)) complaints.push(`console: ${text}`);
  });
  context.on("weberror", (error) => complaints.push(`uncaught: ${error.error()}`));
  context.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (/^(https?|wss?):$/.test(protocol) && !known.includes(origin)) complaints.push(`request: ${request.url()}`);
  });
}
