import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type DefaultTheme, defineConfig } from "vitepress";
import { anchorOf } from "../../scripts/documentation/anchors.ts";

const root = join(import.meta.dirname, "../..");
const readJson = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8"));
const { repository } = readJson("deploy/placeholders.json");
const { version } = readJson("package.json");

const tables = `
  .vp-doc td { vertical-align: top }
  .VPDoc:not(.has-aside) :is(.container, .content, .content-container) { max-width: 1100px !important }
`;

/** The site is the Markdown of this folder, and its index is the table of contents: `npm run docs`. */
export default defineConfig({
  title: "Authorization service",
  description: "Who holds which roles, in which project, in which organization",
  lang: "en-US",
  cleanUrls: true,
  head: [
    ["link", { rel: "icon", type: "image/svg+xml", href: "/logo.svg" }],
    ["style", {}, tables],
  ],
  transformPageData(page) {
    if (page.relativePath === "index.md") Object.assign(page.frontmatter, home);
    // Pages without chapters are tables, which can use the room of the outline.
    const text = readFileSync(join(root, "docs", page.relativePath), "utf8");
    if (!/^## /m.test(text)) page.frontmatter.aside = false;
  },
  markdown: {
    anchor: { slugify: anchorOf },
    config(markdown) {
      markdown.core.ruler.push("as-on-github", ({ env, tokens }) => {
        const folder = join("docs", dirname(env.relativePath ?? ""));
        for (const { children } of tokens) {
          for (const token of children ?? []) {
            // Vue would take braces in code for a template.
            if (token.type === "code_inline") token.attrSet("v-pre", "");
            // The site has only this folder. Other links lead to the repository.
            const href = token.type === "link_open" ? String(token.attrGet("href")) : "";
            if (href !== "" && leadsOut(href, folder))
              token.attrSet("href", `${repository}/blob/main/${join(folder, href)}`);
          }
        }
      });
    },
  },
  themeConfig: {
    logo: "/logo.svg",
    nav: [
      { text: "Tutorial", link: "/tutorial/" },
      { text: `Version ${version}`, link: "/reference/versions" },
      { text: "Repository", link: repository },
    ],
    editLink: { pattern: `${repository}/edit/main/docs/:path`, text: "Edit this page" },
    search: { provider: "local" },
    outline: [2, 3],
    sidebar: sidebar(),
  },
});

/** What the first page has above the table of contents. On GitHub, it would be a table of settings. */
const home = {
  layout: "home",
  hero: {
    name: "Authorization service",
    text: "Who holds which roles, in which project, in which organization",
    tagline: "For companies that sell software to companies. Your applications query it over HTTP or gRPC.",
    image: { src: "/logo.svg", alt: "" },
    actions: [
      { theme: "brand", text: "Tutorial", link: "/tutorial/" },
      { theme: "alt", text: "Quickstart", link: "#quickstart" },
      { theme: "alt", text: "API", link: "/reference/rpcs" },
    ],
  },
};

/** Everything but pages of this folder and anchors. The link is in a page of the given folder. */
function leadsOut(href: string, folder: string): boolean {
  if (/^(https?:|#)/.test(href)) return false;
  return !/^docs\/.*\.md(#|$)/.test(join(folder, href));
}

/** The chapters of the index with the pages they link to. The chapter of RPCs also has those of the list of RPCs. */
function sidebar(): DefaultTheme.SidebarItem[] {
  return read("index.md")
    .split(/^## /m)
    .slice(1)
    .map((chapter) => {
      const text = chapter.split("\n", 1)[0] ?? "";
      const rpcs = text === "RPCs" ? itemsIn(read("reference/rpc/index.md"), "/reference/rpc/") : [];
      // The chapter of the page is open.
      return { text, collapsed: true, items: [...itemsIn(chapter, "/"), ...rpcs] };
    })
    .filter(({ items }) => items.length > 0);
}

function read(page: string): string {
  return readFileSync(join(import.meta.dirname, "..", page), "utf8");
}

/** A point that begins with a service has its RPCs in a group. */
function itemsIn(text: string, folder: string): DefaultTheme.SidebarItem[] {
  return text.split(/^- /m).flatMap((point) => {
    const [, service] = /^`(\w+)`: /.exec(point) ?? [];
    const pages = pagesIn(point, folder);
    return service === undefined ? pages : [{ text: service, collapsed: true, items: pages }];
  });
}

function pagesIn(point: string, folder: string): DefaultTheme.SidebarItem[] {
  return [...point.matchAll(/\[([^\]]+)\]\(([\w/-]+)\.md(?: "([^"]+)")?\)/g)].map(
    ([, text = "", page = "", title]) => ({
      // Within a sentence, a page may need other words than in a list.
      text: title ?? text.charAt(0).toUpperCase() + text.slice(1),
      link: `${folder}${page}`,
    }),
  );
}
