// Makes docs/screenshots, of the console that the server serves with the demo world: `npm run screenshots`.

import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { buildConsole } from "./support/build-console.ts";
import { chromiumArguments, findChromium } from "./support/chromium.ts";
import { newContext, openPage } from "./support/page.ts";
import { freePort, type Service, startService } from "./support/process.ts";

const folder = path.join(import.meta.dirname, "../../docs/screenshots");

/** Large enough to read in a README, small enough to keep. */
const size = { width: 1_280, height: 740 };

/** What is counted or asked for is as of this moment. */
const moment = new Date("2026-01-05T09:30:00Z");

type Picture = { readonly name: string; readonly address: string; readonly show: (page: Page) => Promise<unknown> };

const pictures: Picture[] = [
  { name: "table", address: "/?sort=changed", show: (page) => page.getByRole("rowheader").first().waitFor() },
  {
    name: "panel",
    address: "/?sort=changed",
    async show(page) {
      await page.getByRole("rowheader").nth(2).getByRole("button").click();
      await page.getByRole("heading", { name: "Why can I see it" }).waitFor();
    },
  },
  { name: "overview", address: "/overview", show: (page) => page.getByRole("heading", { name: "By role" }).waitFor() },
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
  { name, address, show }: Picture,
  scheme: "light" | "dark",
) {
  const context = await newContext(from, { scheme });
  await context.clock.setFixedTime(moment);
  const page = await openPage(context, url + address, tokens.carol);
  await page.setViewportSize(size);
  await show(page);
  await page.waitForLoadState("networkidle");
  await page.mouse.move(0, 0);
  const file = path.join(folder, `${name}-${scheme}.png`);
  await page.screenshot({ path: file, animations: "disabled", caret: "hide" });
  await context.close();
  console.log(path.relative(process.cwd(), file));
}
