import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type Rolldown } from "vite";
import { compression } from "vite-plugin-compression2";

const source = path.join(import.meta.dirname, "src");
const resolved = (name: string) => fileURLToPath(import.meta.resolve(name));

/** The first view is loaded in steps, each some modules with what they import. src/main.tsx takes one after the other. */
const steps = {
  // With what translations import: they are loaded before the other steps.
  start: [path.join(source, "main.tsx"), path.join(source, "words/product.ts")],
  messages: [path.join(source, "first-messages.ts")],
  calls: [path.join(source, "first-calls.ts")],
  react: [createRequire(import.meta.url).resolve("react-dom/client"), resolved("@tanstack/react-router")],
  view: [path.join(source, "show-console.tsx")],
};

/** The client package imports the messages of all services. Those that no first call needs come with what needs them. */
const later = /\/(authorization_history_service|overview_service|token_service)_pb\.js$/;

/** Builds the console into console/dist, which the server serves. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    firstViewAtOnce(),
    compression({ algorithms: ["gzip", "brotliCompress"], include: /\.(js|css|svg)$/ }),
  ],
  build: {
    target: "es2023",
    // As files of their own: what is written into the page would break its Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: { codeSplitting: { groups: Object.entries(steps).map(chunkOf), includeDependenciesRecursively: false } },
    },
  },
  // For `npx vite console`: the page is made again with every change, and the service runs beside it.
  server: { proxy: { "^/service\\.": process.env.SERVICE_URL ?? "http://127.0.0.1:8080" } },
});

/** One file for everything that a step imports and no earlier step does. Browsers fetch only six files at a time. */
function chunkOf([name, modules]: [string, string[]]): Rolldown.CodeSplittingGroup {
  let imported: Set<string> | undefined;
  return {
    name(id, graph) {
      if (imported === undefined) {
        imported = new Set(modules);
        for (const one of imported) for (const next of graph.getModuleInfo(one)?.importedIds ?? []) imported.add(next);
      }
      // The first step takes what the bundler adds, because all others need it.
      return (imported.has(id) && !later.test(id)) || id.startsWith("\0") ? name : null;
    },
  };
}

/** The first view's code is evaluated in steps, but the browser fetches all of it at once: the page names every file. */
function firstViewAtOnce(): Plugin {
  return {
    name: "first-view-at-once",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {} }) {
        const files = new Set<string>();
        const styles = new Set<string>();
        const add = (file: string) => {
          const chunk = bundle[file];
          if (chunk?.type !== "chunk" || files.has(file)) return;
          files.add(file);
          for (const style of chunk.viteMetadata?.importedCss ?? []) styles.add(style);
          for (const one of chunk.imports) add(one);
        };
        for (const chunk of Object.values(bundle)) if (chunk.name && chunk.name in steps) add(chunk.fileName);
        const isNew = (file: string) => !html.includes(`/${file}"`);
        const crossorigin = true;
        return [
          ...[...styles].filter(isNew).map((file) => ({
            tag: "link",
            injectTo: "head" as const,
            attrs: { rel: "stylesheet", crossorigin, href: `/${file}` },
          })),
          ...[...files].filter(isNew).map((file) => ({
            tag: "link",
            injectTo: "head" as const,
            attrs: { rel: "modulepreload", crossorigin, href: `/${file}` },
          })),
        ];
      },
    },
  };
}
