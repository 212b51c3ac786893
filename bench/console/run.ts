// Measures the console in Chromium, in a world of a million authorizations: writes bench/CONSOLE.md.
//
//   npm run bench:console -- --rows 1M --runs 9

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { type Browser, chromium } from "playwright-core";
import { buildConsole } from "../../test/browser/support/build-console.ts";
import { chromiumArguments, findChromium } from "../../test/browser/support/chromium.ts";
import { makeTokens } from "../callers.ts";
import { currentCommit, describeMachine } from "../machine.ts";
import { readCount, writeCount } from "../options.ts";
import { openBenchPostgres } from "../postgres.ts";
import { startOurs } from "../sides.ts";
import { median } from "../statistics.ts";
import { openWorld } from "../world/world.ts";
import { type FirstView, type LongTasks, measureFirstView, measureLongTasks, work } from "./measure.ts";

const { values } = parseArgs({
  options: { rows: { type: "string", default: "1M" }, runs: { type: "string", default: "9" } },
});
const rows = readCount(values.rows);
const runs = readCount(values.runs);

const executablePath = findChromium();
buildConsole();
const postgres = await openBenchPostgres(rows);
try {
  const database = await openWorld(postgres, rows, (text) => console.log(text));
  const { instance } = await makeTokens(postgres.connectionTo(database));
  const server = await startOurs({ DATABASE_URL: postgres.urlOf(database) });
  const browser = await chromium.launch({ executablePath, args: chromiumArguments });
  try {
    const views = await firstViews(browser, server.url, instance.token);
    const tasks = await longTasks(browser, server.url, instance.token);
    const text = report(browser.version(), views, tasks);
    console.log(text);
    await writeFile(path.join(import.meta.dirname, "../CONSOLE.md"), text);
  } finally {
    await browser.close();
    await server.stop();
  }
} finally {
  await postgres.stop();
}

async function firstViews(browser: Browser, url: string, token: string): Promise<FirstView[]> {
  // The first one warms the server up, not the browser: each view has a browser context of its own.
  await measureFirstView(browser, url, token);
  const views: FirstView[] = [];
  for (let run = 0; run < runs; run += 1) views.push(await measureFirstView(browser, url, token));
  return views;
}

async function longTasks(browser: Browser, url: string, token: string): Promise<Map<string, LongTasks[]>> {
  const found = new Map<string, LongTasks[]>();
  for (const [name, { address, run }] of Object.entries(work)) {
    const ofEach: LongTasks[] = [];
    for (let turn = 0; turn < Math.min(runs, 3); turn += 1) {
      ofEach.push(await measureLongTasks(browser, { url, token, address, run }));
    }
    found.set(name, ofEach);
  }
  return found;
}

function report(
  version: string,
  views: readonly FirstView[],
  tasks: ReadonlyMap<string, readonly LongTasks[]>,
): string {
  const over = (name: keyof FirstView) => {
    const numbers = views.map((view) => view[name]);
    const shown = (value: number) => `${Math.round(value)} ms`;
    return `${shown(median(numbers))} | ${shown(Math.min(...numbers))} | ${shown(Math.max(...numbers))}`;
  };
  const work = [...tasks].map(([name, ofEach]) => {
    const all = ofEach.flat();
    return `| ${name} | ${all.length} | ${all.length === 0 ? "none" : `${Math.round(Math.max(...all))} ms`} |`;
  });
  return `# The console in a browser

Made by \`npm run bench:console -- --rows ${writeCount(rows)} --runs ${runs}\`. Chromium ${version} without a screen, Postgres, the service and the browser
on one machine: ${describeMachine()}; commit ${currentCommit()}.

## The first view

The newest 100 of ${writeCount(rows)} authorizations, as the instance owner sees them. Each of ${runs} views has an empty cache. Rows are visible when
the frame with the first of them is painted; the page is usable when the main thread has nothing left to do after that.

| From navigation until | Median | Least | Most |
|---|---|---|---|
| the rows are visible | ${over("rowsVisible")} |
| the page is usable | ${over("usable")} |
| of which the browser waited for ListAuthorizations | ${over("listAnswered")} |

JavaScript of the first view: ${Math.ceil((views[0]?.scriptBytesGzipped ?? Number.NaN) / 1_000)} kB gzipped.

## What blocks

Tasks of the main thread that took more than 50 ms, once the page was usable, in ${Math.min(runs, 3)} runs together.

| While | How many | The longest |
|---|---|---|
${work.join("\n")}
`;
}
