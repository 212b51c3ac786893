import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { writeCount } from "./options.ts";
import type { Summary } from "./statistics.ts";

export type Measurement = Summary & {
  readonly side: string;
  /** How it was loaded, in words; measurements are compared within one of these. */
  readonly load: string;
  readonly connections: number;
  /** Requests a second of the first side ÷ this one's, the median over the rounds. Earlier results lack it. */
  readonly ratio?: number;
};

export type CaseResult = {
  readonly name: string;
  readonly title: string;
  readonly commit: string;
  readonly date: string;
  readonly command: string;
  readonly measurements: readonly Measurement[];
  /** What is no request of a load: ratios and times, each with its unit in the name. */
  readonly numbers: Readonly<Record<string, number>>;
  readonly notes: readonly string[];
};

/** What is known about one size of world. Cases that were not run again stay. */
export type Results = {
  readonly rows: number;
  readonly machine: string;
  readonly node: string;
  readonly postgres: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly world: string;
  readonly memory: Readonly<Record<string, string>>;
  readonly cases: readonly CaseResult[];
};

const folder = path.join(import.meta.dirname, "results");

export async function readResults(): Promise<Results[]> {
  await mkdir(folder, { recursive: true });
  const files = (await readdir(folder)).filter((file) => file.endsWith(".json"));
  const all = await Promise.all(files.map(async (file) => JSON.parse(await readFile(path.join(folder, file), "utf8"))));
  return (all as Results[]).sort((a, b) => a.rows - b.rows);
}

export async function keepResults(results: Results): Promise<Results[]> {
  const all = await readResults();
  const cases = new Map(all.find(({ rows }) => rows === results.rows)?.cases.map((one) => [one.name, one]));
  // A case that is measured again keeps its place.
  for (const one of results.cases) cases.set(one.name, one);
  const kept = { ...results, cases: [...cases.values()] };
  const text = `${JSON.stringify(kept, undefined, 2)}\n`;
  await writeFile(path.join(folder, `${writeCount(results.rows)}.json`), text);
  return readResults();
}

export function findMeasurement(results: Results | undefined, name: string, side: string, load: string) {
  return results?.cases.find((one) => one.name === name)?.measurements.find((m) => m.side === side && m.load === load);
}

export function findNumber(results: Results | undefined, name: string, number: string): number | undefined {
  return results?.cases.find((one) => one.name === name)?.numbers[number];
}
