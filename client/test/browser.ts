import { readFile } from "node:fs/promises";
import path from "node:path";
import { createContext, Script } from "node:vm";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { fetchFrom } from "../../test/support/browser-fetch.ts";

export type Bundle = { readonly code: string; readonly gzippedBytes: number };

/** Bundles a module for browsers, minified, as a script that keeps the module's exports in the global `page`. */
export async function bundle(folder: string, entry: string): Promise<Bundle> {
  const outDir = path.join(folder, "bundled");
  await build({
    root: folder,
    configFile: false,
    logLevel: "warn",
    build: {
      outDir,
      lib: { entry: path.join(folder, entry), formats: ["iife"], name: "page", fileName: () => "page.js" },
    },
  });
  const code = await readFile(path.join(outDir, "page.js"), "utf8");
  return { code, gzippedBytes: gzipSync(code).length };
}

/**
 * Runs a bundle where nothing of Node is to be found, and resolves to its exports. Its requests come from `origin` and
 * are allowed by the rules of CORS, as a browser does it.
 */
export function openPage<Exports>({ code }: Bundle, origin: string): Exports {
  const { AbortController, AbortSignal, DOMException, Headers, Request, Response, ReadableStream } = globalThis;
  const { TextDecoder, TextEncoder, URL, atob, btoa, clearTimeout, console, setTimeout } = globalThis;
  const context = createContext({
    ...{ AbortController, AbortSignal, DOMException, Headers, Request, Response, ReadableStream },
    ...{ TextDecoder, TextEncoder, URL, atob, btoa, clearTimeout, console, setTimeout },
    fetch: fetchFrom(origin),
  });
  new Script(`${code}\nglobalThis.page = page;`).runInContext(context);
  return context.page;
}
