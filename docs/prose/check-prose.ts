// Fails if a Markdown file, or a comment in the code, has a misspelled word (cspell, with cspell.json) or a phrase that we
// don't use (textlint, with phrases.json).
//
//   npm run check:prose                 all files
//   npm run check:prose -- FILE…        only these

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { TextlintKernel, type TextlintKernelOptions } from "@textlint/kernel";
import markdown from "@textlint/textlint-plugin-markdown";
import phrases from "./phrases.json" with { type: "json" };

const root = join(import.meta.dirname, "../..");

/** The folders of code whose comments are read. */
const withComments = ["src", "proto", "scripts", "migrations", "client/examples", "console/src", "docs/prose"];

/** Loaded by a variable, because the package comes without types. */
const rulePackage = "textlint-rule-terminology";
const { default: terminology } = await import(rulePackage);

const options: TextlintKernelOptions = {
  ext: ".md",
  plugins: [{ pluginId: "markdown", plugin: markdown.default ?? markdown }],
  rules: [
    {
      ruleId: "terminology",
      rule: terminology,
      options: { defaultTerms: false, terms: phrases.terms, skip: ["BlockQuote"] },
    },
  ],
};

if (import.meta.main) {
  const files = process.argv.length > 2 ? process.argv.slice(2) : filesToRead();
  const kernel = new TextlintKernel();
  const found = await Promise.all(
    files.map((file) => problemsIn(kernel, proseOf(readFileSync(join(root, file), "utf8"), file), file)),
  );
  for (const problem of found.flat()) console.error(problem);
  const cspell = join(root, "docs/node_modules/cspell/bin.mjs");
  const spelling = spawnSync(process.execPath, [cspell, "lint", "--no-progress", "--no-summary", ...files], {
    cwd: root,
    stdio: "inherit",
  });
  if (found.flat().length > 0 || spelling.status !== 0) process.exitCode = 1;
}

/** One line for each phrase that should be another, with its place. */
export async function problemsIn(kernel: TextlintKernel, text: string, file: string): Promise<string[]> {
  const { messages } = await kernel.lintText(text, { ...options, filePath: file });
  return messages.map(({ loc, message }) => `${file}:${loc.start.line}:${loc.start.column} ${message}`);
}

/** The comments of a file with code, each in its line, without the code. Markdown files are prose as a whole. */
function proseOf(text: string, file: string): string {
  if (file.endsWith(".md")) return text;
  const comment = file.endsWith(".sql") ? /^\s*-- ?(.*)$/ : /^\s*(?:\/\/|\/?\*\*?) ?(.*?)(?: ?\*\/)?$/;
  return text
    .split("\n")
    .map((line) => (comment.exec(line)?.[1] ?? "").replace(/^@param \w+/, ""))
    .join("\n");
}

/** Without the results of benches, which programs write. */
function filesToRead(): string[] {
  const patterns = [
    "*.md",
    ...withComments.flatMap((folder) => ["ts", "tsx", "cjs", "proto", "sql"].map((end) => `${folder}/*.${end}`)),
  ];
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", ...patterns], {
    cwd: root,
  });
  return listed
    .toString()
    .split("\n")
    .filter((file) => file !== "" && !/^bench\/[A-Z]+(?<!README)\.md$/.test(file) && existsSync(join(root, file)));
}
