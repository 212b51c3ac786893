import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type DefaultTheme, defineConfig } from "vitepress";
import { anchorOf } from "../../scripts/documentation/anchors.ts";

/** The site is the Markdown of this folder, and its index is the table of contents: `npm run docs`. */
export default defineConfig({
  title: "Authorization service",
  description: "Who holds which roles, in which project, in which organization",
  lang: "en-US",
  cleanUrls: true,
  markdown: {
    anchor: { slugify: anchorOf },
    config(markdown) {
      markdown.core.ruler.push("as-on-github", ({ tokens }) => {
        for (const { children } of tokens) {
          let isLeftOut = false;
          for (const token of children ?? []) {
            // Vue would take braces in code for a template.
            if (token.type === "code_inline") token.attrSet("v-pre", "");
            // The site has only this folder. Links to the rest of the repository become plain text.
            if (token.type === "link_open") isLeftOut = leadsOut(String(token.attrGet("href")));
            if (isLeftOut && token.type.startsWith("link_")) Object.assign(token, plainText);
          }
        }
      });
    },
  },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    sidebar: sidebar(),
  },
});

const plainText = { type: "text", tag: "", content: "", attrs: null, nesting: 0 };

/** Everything but pages and anchors, and what lies above this folder: its pages are one folder deep at most. */
function leadsOut(href: string): boolean {
  if (/^(https?:|#)/.test(href)) return false;
  return href.startsWith("../../") || href === "../README.md" || !/\.md(#|$)/.test(href);
}

/** The chapters of the index with the pages they link to. */
function sidebar(): DefaultTheme.SidebarItem[] {
  const index = readFileSync(join(import.meta.dirname, "../index.md"), "utf8");
  return index
    .split(/^## /m)
    .slice(1)
    .map((chapter) => ({
      text: chapter.split("\n", 1)[0] ?? "",
      collapsed: false,
      items: [...chapter.matchAll(/\[([^\]]+)\]\(([\w/-]+)\.md\)/g)].map(([, text = "", page = ""]) => ({
        text: text.charAt(0).toUpperCase() + text.slice(1),
        link: `/${page}`,
      })),
    }));
}
