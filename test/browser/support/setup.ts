import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { freePort } from "../../support/free-port.ts";
import { buildConsole } from "./build-console.ts";
import { chromiumArguments, findChromium } from "./chromium.ts";
import { audience, clientId, startIssuer } from "./issuer.ts";
import { startService, type Tokens } from "./process.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where Playwright finds the browser of this run. */
    browser: string;
    /** The service of this run, with the demo world; each test changes only what no other one counts on. */
    service: { readonly url: string; readonly tokens: Tokens; readonly dataDirectory: string };
    issuer: { readonly url: string };
  }
}

/** One browser, one service and one issuer for all tests of a run. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const executablePath = findChromium();
  buildConsole();
  const dataDirectory = await mkdtemp(path.join(tmpdir(), "console-"));
  const port = await freePort();
  const issuer = await startIssuer(await freePort(), `http://127.0.0.1:${port}/signed-in`);
  const [service, browser] = await Promise.all([
    startService({
      PORT: String(port),
      DATA_DIR: dataDirectory,
      JWT_ISSUER: issuer.url,
      JWT_AUDIENCE: audience,
      // The console has to call with access tokens.
      JWT_REQUIRE_AT_JWT: "true",
      OIDC_CLIENT_ID: clientId,
    }),
    chromium.launchServer({ executablePath, args: chromiumArguments }),
  ]);
  provide("browser", browser.wsEndpoint());
  provide("service", { url: service.url, tokens: service.tokens, dataDirectory });
  provide("issuer", { url: issuer.url });
  return async () => {
    await browser.close();
    await service.stop();
    await issuer.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  };
}
