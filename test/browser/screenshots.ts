// Makes docs/screenshots, of the console that the server serves with the demo world: `npm run screenshots`.

import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { buildConsole } from "./support/build-console.ts";
import { chromiumArguments, findChromium } from "./support/chromium.ts";
import { newContext, openPage } from "./support/page.ts";
import { freePort, type Service, startService } from "./support/process.ts";

const folder = path.join(import.meta.dirname, "../../docs/screenshots");

type Picture = { readonly name: string; readonly address: string; readonly ready: (page: Page) => Promise<unknown> };

const pictures: Picture[] = [
  { name: "table", address: "/?sort=changed", ready: (page) => page.getByRole("rowheader").first().waitFor() },
  {
    name: "panel",
    address: "/?sort=changed&id=a-00001",
    ready: (page) => page.getByRole("complementary", { name: "Assignment" }).getByRole("heading").first().waitFor(),
  },
  { name: "overview", address: "/overview", ready: (page) => page.getByRole("heading").first().waitFor() },
];

const dataDirectory = await mkdtemp(path.join(tmpdir(), "screenshots-"));
buildConsole();
await mkdir(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
const service = await startService({ DATA_DIR: dataDirectory, PORT: String(await freePort()) });
try {
  for (const picture of pictures) {
    for (const scheme of ["light", "dark"] as const) await take(browser, service, picture, scheme);
  }
} finally {
  await browser.close();
  await service.stop();
  await rm(dataDirectory, { recursive: true, force: true });
}

async function take(
  from: Browser,
  { url, tokens }: Service,
  { name, address, ready }: Picture,
  scheme: "light" | "dark",
) {
  const context = await newContext(from, { scheme });
  const page = await openPage(context, url + address, tokens.carol);
  await ready(page);
  await page.waitForLoadState("networkidle");
  const file = path.join(folder, `${name}-${scheme}.png`);
  await page.screenshot({ path: file, animations: "disabled", caret: "hide" });
  await context.close();
  console.log(`${name}-${scheme}.png  ${Math.round((await stat(file)).size / 1_000)} kB`);
}
