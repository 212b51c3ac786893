// Makes docs/screenshots, of the console that the server serves with the demo world:
//
//   npm run screenshots
//   npm run screenshots -- --folder /tmp/pictures --png --height 2000 --only person,project   to look at them elsewhere

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { type Browser, chromium, type Page } from "playwright-core";
import { post } from "../support/call-headers.ts";
import { buildConsole } from "./support/build-console.ts";
import { chromiumArguments, findChromium } from "./support/chromium.ts";
import { button } from "./support/find.ts";
import { newContext, openPage } from "./support/page.ts";
import { type Service, startService } from "./support/process.ts";
import { untilQuiet } from "./support/quiet.ts";

const { values } = parseArgs({
  options: {
    folder: { type: "string" },
    height: { type: "string" },
    only: { type: "string" },
    png: { type: "boolean" },
  },
});
const folder = values.folder ?? path.join(import.meta.dirname, "../../docs/screenshots");
const only = values.only?.split(",");

/** What is counted or asked for is as of this moment. */
const moment = new Date("2026-01-05T09:30:00Z");

/** Large enough to read, small enough to keep. The last one is a phone. */
const looks = {
  light: { scheme: "light", width: 1_280, height: 740 },
  dark: { scheme: "dark", width: 1_280, height: 740 },
  "390": { scheme: "light", width: 390, height: 740 },
} as const;

type Picture = {
  readonly address: string;
  readonly show: (page: Page) => Promise<unknown>;
  /** It shows tokens, which are as old as the service. */
  readonly isToday?: true;
  /** No one is signed in. */
  readonly isSignedOut?: true;
};

const row = (page: Page) => page.getByRole("rowheader").first().waitFor();
const item = (page: Page) => page.locator("main .plain-list > li").first().waitFor();
const heading = (name: string) => (page: Page) => page.getByRole("heading", { name }).first().waitFor();

const pictures: Record<string, Picture> = {
  home: { address: "/", show: heading("What needs attention") },
  table: { address: "/assignments?sort=changed", show: row },
  panel: {
    address: "/assignments?sort=changed",
    async show(page) {
      await page.getByRole("rowheader").nth(2).getByRole("button").click();
      await page.getByRole("heading", { name: "Why can I see it" }).waitFor();
      await page.getByRole("button", { name: "Edit roles" }).waitFor();
    },
  },
  overview: { address: "/overview", show: heading("By role") },
  history: { address: "/history", show: (page) => page.locator("main time").first().waitFor() },
  people: { address: "/people?organization=acme", show: row },
  person: { address: "/person?id=ann", isToday: true, show: heading("Ann Keller") },
  projects: { address: "/projects", show: row },
  project: { address: "/project?id=shop", show: heading("Shop") },
  role: { address: "/role?project=shop&key=auditor", show: item },
  organizations: { address: "/organizations", show: row },
  organization: { address: "/organization?id=acme", show: heading("Acme") },
  administrators: { address: "/administrators", show: item },
  account: {
    address: "/account",
    isToday: true,
    show: (page) =>
      button(page, /^Revoke/)
        .first()
        .waitFor(),
  },
  "first-steps": {
    address: "/first-steps",
    show: (page) => page.getByRole("heading", { level: 2, name: "Assignments" }).waitFor(),
  },
  "add-people": {
    address: "/add-people?organization=acme",
    async show(page) {
      const people = [
        "Name, Login name",
        "Nora Vogel, nora@acme.example",
        "Jonas Weber, jonas@acme.example",
        "Mia Lorenz,",
      ];
      await page.getByLabel("People, one in each line").fill(people.join("\n"));
      await page.getByText("The login name is missing.").waitFor();
      await page.getByText("Can be added").first().waitFor();
    },
  },
  "assign-list": {
    address: "/assign-list",
    async show(page) {
      const rows = ["Ann Keller, Shop, Acme, Auditor", "bob, Shop, Globex, Auditor", "carol, Shopp, Acme, Seller"];
      await page.getByLabel(/^Person, project, organization, and roles/).fill(rows.join("\n"));
      await page.getByText("No project “Shopp” that you can see").waitFor();
    },
  },
  offboard: { address: "/offboard?id=ann", show: item },
  compare: { address: "/compare?from=ann&to=bob", show: row },
  matrix: { address: "/matrix?project=shop", show: row },
  "sign-in": { address: "/assignments", isSignedOut: true, show: (page) => page.getByRole("button").first().waitFor() },
};

const dataDirectory = await mkdtemp(path.join(tmpdir(), "screenshots-"));
buildConsole();
await mkdir(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
const service = await startService({ DATA_DIR: dataDirectory, PORT: "0" });
try {
  await nameInLatin(service);
  for (const [name, picture] of Object.entries(pictures)) {
    if (only?.includes(name) === false) continue;
    for (const look of Object.keys(looks) as (keyof typeof looks)[])
      await take(browser, service, { name, ...picture }, look);
  }
} finally {
  await browser.close();
  await service.stop();
  await rm(dataDirectory, { recursive: true, force: true });
}

/** Fonts for Japanese are rare where pictures are taken. The login name has the same name in Latin letters. */
async function nameInLatin({ url, tokens }: Service): Promise<void> {
  const call = async (method: string, request: object) => {
    const response = await post(url, tokens.carol, `directory.v1.DirectoryService/${method}`, request);
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as any;
  };
  const changes: object[] = [];
  for (let pageToken: string | undefined = ""; pageToken !== undefined; ) {
    const { users, pagination } = await call("ListUsers", { pagination: { limit: 1_000, pageToken } });
    for (const user of users) {
      if (!/\p{Script=Han}/u.test(user.displayName)) continue;
      const [names] = user.preferredLoginName.split(/\d*@/);
      const displayName = names.replace(".", " ").replace(/\b[a-z]/g, (letter: string) => letter.toUpperCase());
      changes.push({ user: { ...user, displayName } });
    }
    pageToken = pagination.nextPageToken || undefined;
  }
  await call("ApplyChanges", { changes, reason: "Names in Latin letters" });
}

async function take(
  from: Browser,
  { url, tokens }: Service,
  { name, address, show, isToday, isSignedOut }: Picture & { name: string },
  look: keyof typeof looks,
) {
  const { height, ...how } = looks[look];
  const context = await newContext(from, how);
  if (!isToday) await context.clock.setFixedTime(moment);
  const page = await openPage(context, url + address, isSignedOut ? undefined : tokens.carol);
  await page.setViewportSize({ width: how.width, height: Number(values.height ?? height) });
  await show(page);
  await isWhole(page);
  await page.mouse.move(0, 0);
  const picture = await page.screenshot({ animations: "disabled", caret: "hide" });
  await context.close();
  if (values.png) await writeFile(path.join(folder, `${name}-${look}.png`), picture);
  const file = path.join(folder, `${name}-${look}.webp`);
  await writeFile(file, await asWebp(from, picture));
  console.log(path.relative(process.cwd(), file));
}

/** Waits until nothing is loading any more. */
async function isWhole(page: Page): Promise<void> {
  const isLoading = () => page.locator(".skeleton, [aria-busy=true]").count();
  for (let quiet = 0; quiet < 3; quiet = (await isLoading()) === 0 ? quiet + 1 : 0) {
    await untilQuiet(page);
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  }
}

/** A fifth of the size of a PNG. */
async function asWebp(from: Browser, picture: Buffer): Promise<Buffer> {
  const page = await from.newPage();
  const address = await page.evaluate(
    async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.width, image.height];
      canvas.getContext("2d")?.drawImage(image, 0, 0);
      return canvas.toDataURL("image/webp", 0.82);
    },
    `data:image/png;base64,${picture.toString("base64")}`,
  );
  await page.close();
  return Buffer.from(address.slice(address.indexOf(",") + 1), "base64");
}
