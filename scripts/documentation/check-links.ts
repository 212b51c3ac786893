// Fails if a link in any Markdown file of the repository is broken, because the file or the heading doesn't exist. It
// also fails if the index of the documentation leaves a page out, or a table is broken.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { anchorOf } from "./anchors.ts";
import { brokenTables } from "./tables.ts";

const root = join(import.meta.dirname, "../..");

if (import.meta.main) {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], { cwd: root });
  const files = listed.toString().split("\n").filter(Boolean);
  const pages = new Map(files.filter(isThere).map((file) => [file, readFileSync(join(root, file), "utf8")]));
  const problems = [...brokenLinks(pages, isThere), ...notInIndex(pages), ...brokenTables(pages)];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}

function isThere(file: string): boolean {
  return existsSync(join(root, file));
}

/** One line for each broken link. The pages are given by their paths. */
export function brokenLinks(pages: ReadonlyMap<string, string>, exists: (file: string) => boolean): string[] {
  return [...pages].flatMap(([file, text]) =>
    linksOf(text).flatMap((link) => {
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? file : join(dirname(file), decodeURIComponent(path));
      if (!exists(target)) return [`${file}: there is no ${target}`];
      if (anchor === undefined || anchorsOf(pages.get(target) ?? "").includes(anchor)) return [];
      return [`${file}: ${target} has no heading #${anchor}`];
    }),
  );
}

/** One line for each page of docs/ that neither docs/index.md nor the list of RPCs links to. */
export function notInIndex(pages: ReadonlyMap<string, string>): string[] {
  const index = "docs/index.md";
  const lists = [index, "docs/reference/rpc/index.md"];
  const linked = lists.flatMap((file) =>
    linksOf(pages.get(file) ?? "").map((link) => join(dirname(file), link.split("#")[0] ?? "")),
  );
  return [...pages.keys()]
    .filter((file) => file.startsWith("docs/") && file !== index && !linked.includes(file))
    .map((file) => `${index} does not link to ${relative("docs", file)}`);
}

/** The targets of Markdown links, images and HTML pictures. Links to other sites are ignored. */
function linksOf(text: string): string[] {
  const prose = withoutCode(text);
  const found = [...prose.matchAll(/\]\(([^\s)]+)(?: "[^"]*")?\)|(?:src|srcset|href)="([^"]+)"/g)];
  return found.map(([, link, attribute]) => link ?? attribute ?? "").filter((link) => !/^[a-z]+:/i.test(link));
}

/** Headings that occur twice get a number. */
function anchorsOf(text: string): string[] {
  const seen = new Map<string, number>();
  return [...text.replaceAll(/^( *)```.*?^\1```/gms, "").matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = ""]) => {
    const anchor = anchorOf(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1"));
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

function withoutCode(text: string): string {
  return text.replaceAll(/^( *)```.*?^\1```/gms, "").replaceAll(/`[^`\n]*`/g, "");
}
