import type { Way } from "./clients.ts";

const rows = new Map<Way, Map<string, string>>();

/** Notes what came of what a client called. */
export function record(client: Way, what: string, came: string): void {
  const row = rows.get(client) ?? new Map();
  rows.set(client, row.set(what, came));
}

/** Prints a line for each client, protocol and name: what was called, and what came. */
export function printTable(): void {
  const checks = [...new Set([...rows.values()].flatMap((row) => [...row.keys()]))];
  const lines = [
    ["client", "protocol", "name", ...checks],
    ...[...rows].map(([{ name, protocol, service }, came]) => [
      name,
      protocol,
      service.split(".")[0] ?? "",
      ...checks.map((check) => came.get(check) ?? "–"),
    ]),
  ];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  const shown = lines.map((line) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`);
  shown.splice(1, 0, `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`);
  console.log(`\n${shown.join("\n")}\n`);
}
