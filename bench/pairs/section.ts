import { readFile, writeFile } from "node:fs/promises";

/** Replaces one section of a Markdown file, from its heading to the next one of the same level, or adds it at the end. */
export async function writeSection(file: string, heading: string, text: string): Promise<void> {
  const before = await readFile(file, "utf8").catch(() => "");
  await writeFile(file, withSection(before, heading, text));
}

export function withSection(document: string, heading: string, text: string): string {
  const sections = document.trimEnd().split(/^(?=## )/m);
  const section = `## ${heading}\n\n${text.trim()}`;
  const index = sections.findIndex((one) => one.startsWith(`## ${heading}\n`));
  const all = index < 0 ? [...sections, section] : sections.with(index, section);
  return `${all.map((one) => one.trimEnd()).join("\n\n")}\n`;
}

/** Replaces what comes before the first section. */
export async function writeBeginning(file: string, text: string): Promise<void> {
  const before = await readFile(file, "utf8").catch(() => "");
  await writeFile(file, withBeginning(before, text));
}

export function withBeginning(document: string, text: string): string {
  const [, ...sections] = document.trimEnd().split(/^(?=## )/m);
  return `${[text, ...sections].map((one) => one.trimEnd()).join("\n\n")}\n`;
}
