import { parseArgs } from "node:util";

export type Options = {
  readonly rows: number;
  readonly seconds: number;
  readonly rounds: number;
  /** The cases to run; undefined: all but the slow ones. */
  readonly only: readonly string[] | undefined;
  readonly list: boolean;
};

export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: "string", default: "1M" },
      seconds: { type: "string", default: "5" },
      rounds: { type: "string", default: "3" },
      only: { type: "string" },
      list: { type: "boolean", default: false },
    },
  });
  const rows = readCount(values.rows);
  if (rows < 100_000) throw new Error("--rows: a world has 100k authorizations at least");
  return {
    rows,
    seconds: readCount(values.seconds),
    rounds: readCount(values.rounds),
    only: values.only?.split(","),
    list: values.list,
  };
}

/** Reads 250000, 100k or 10M. */
export function readCount(text: string): number {
  const match = /^(\d+)(k|M)?$/.exec(text);
  if (match === null) throw new Error(`not a number such as 100k or 10M: ${text}`);
  return Number(match[1]) * (match[2] === "M" ? 1_000_000 : match[2] === "k" ? 1_000 : 1);
}

/** Writes 10000000 as 10M. */
export function writeCount(count: number): string {
  if (count % 1_000_000 === 0) return `${count / 1_000_000}M`;
  return count % 1_000 === 0 ? `${count / 1_000}k` : String(count);
}
