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
import {
  type FirstView,
  type LongTasks,
  measureFirstView,
  measureLongTasks,
  measurePersonPage,
  type PersonPage,
  work,
} from "./measure.ts";

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
    const people = await personPages(browser, server.url, instance.token);
    const text = report(browser.version(), { views, people, tasks });
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

async function personPages(browser: Browser, url: string, token: string): Promise<PersonPage[]> {
  await measurePersonPage(browser, url, token);
  const pages: PersonPage[] = [];
  for (let run = 0; run < runs; run += 1) pages.push(await measurePersonPage(browser, url, token));
  return pages;
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

type Measured = {
  readonly views: readonly FirstView[];
  readonly people: readonly PersonPage[];
  readonly tasks: ReadonlyMap<string, readonly LongTasks[]>;
};

function report(version: string, { views, people, tasks }: Measured): string {
  const over = (numbers: readonly number[]) => {
    const shown = (value: number) => `${Math.round(value)} ms`;
    return `${shown(median(numbers))} | ${shown(Math.min(...numbers))} | ${shown(Math.max(...numbers))}`;
  };
  const all = new Map<string, readonly LongTasks[]>([
    ["loading the first view", views.map(({ longTasks }) => longTasks)],
    ["opening and loading a person's page", people.map(({ longTasks }) => longTasks)],
    ...tasks,
  ]);
  const work = [...all].map(([name, ofEach]) => {
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
| the rows are visible | ${over(views.map(({ rowsVisible }) => rowsVisible))} |
| the page is usable | ${over(views.map(({ usable }) => usable))} |
| of which the browser waited for ListAuthorizations | ${over(views.map(({ listAnswered }) => listAnswered))} |

JavaScript of the first view, with everything that its rows load: ${Math.ceil(Math.max(...views.map(({ scriptBytesGzipped }) => scriptBytesGzipped)) / 1_000)} kB gzipped.

## A person's page

Everything is there when nothing on the page is loading any more: the profile, the assignments, the administrator entries, the tokens and the history.

| Until everything is there | Median | Least | Most |
|---|---|---|---|
| from a click on a name in the list of people | ${over(people.map(({ opened }) => opened))} |
| from navigation, with an empty cache | ${over(people.map(({ loaded }) => loaded))} |

## What blocks

Tasks of the main thread that took more than 50 ms: in all ${runs} runs of the first two, and once the page was usable in ${Math.min(runs, 3)} runs of each of the others.

| While | How many | The longest |
|---|---|---|
${work.join("\n")}
`;
}
