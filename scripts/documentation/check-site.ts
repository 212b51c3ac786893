// Fails if a link inside the built site leads nowhere: node scripts/documentation/check-site.ts FOLDER

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

if (import.meta.main) {
  const folder = process.argv[2] ?? "";
  const files = new Map(
    globSync("**/*", { cwd: folder, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, "/").length))
      .map((file) => [file, file.endsWith(".html") ? readFileSync(join(folder, file), "utf8") : ""]),
  );
  const problems = deadLinks(files);
  if (files.size === 0) problems.push(`there is no site in ${folder}`);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}

/** One line for each link to a page, file or heading that the site doesn't have. Of other files than pages, only the names count. */
export function deadLinks(files: ReadonlyMap<string, string>): string[] {
  const found = [...files].flatMap(([file, html]) =>
    [...html.matchAll(/<(?:a|link|img|script)\b[^>]*?\s(?:href|src)="([^"]*)"/g)].flatMap(([, link = ""]) => {
      const { origin, pathname, hash } = new URL(link.replaceAll("&amp;", "&"), `http://site/${file}`);
      if (origin !== "http://site") return [];
      const path = decodeURIComponent(pathname).slice(1);
      const target = [path, `${path}.html`, join(path, "index.html")].find((name) => files.has(name));
      if (target === undefined) return [`${file}: the site has no ${pathname}`];
      const id = decodeURIComponent(hash.slice(1));
      const isThere = id === "" || !target.endsWith(".html") || files.get(target)?.includes(` id="${id}"`);
      return isThere ? [] : [`${file}: ${target} has no heading ${hash}`];
    }),
  );
  return [...new Set(found)];
}
