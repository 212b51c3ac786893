import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { test as base, expect, inject } from "vitest";
import { type Look, newContext, openPage } from "./page.ts";
import type { Tokens } from "./process.ts";

export type VisitOptions = Look & {
  /** Signed in with this person's token; nobody unless told otherwise. */
  readonly as?: keyof Tokens;
  /** Signed in with this token instead. */
  readonly token?: string;
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
      const context = await contextOf(options);
      contexts.push(context);
      watch(context, options, complaints);
      const { url, tokens } = options.service ?? inject("service");
      return openPage(context, url + address, options.token ?? (options.as && tokens[options.as]));
    });
    await Promise.all(contexts.map((context) => context.close()));
    expect(complaints).toEqual([]);
  },
});

/** A second page of the same browser, as a link opened in a new tab is: it has the cookies, not the session. */
export function openTab(context: BrowserContext, address: string): Promise<Page> {
  return openPage(context, inject("service").url + address);
}

let browser: Promise<Browser> | undefined;

async function contextOf(options: VisitOptions): Promise<BrowserContext> {
  browser ??= chromium.connect(inject("browser"));
  const context = await newContext(await browser, options);
  context.setDefaultTimeout(60_000);
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
