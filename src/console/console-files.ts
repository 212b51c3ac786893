import { createHash } from "node:crypto";
import { extname } from "node:path";
import type { BuiltConsole } from "./built-console.ts";
import { pageHeaders } from "./page-headers.ts";
import { type ConsoleSettings, withSettings } from "./settings.ts";

/** A file in one of its encodings. */
type Representation = { readonly body: Buffer; readonly etag: string };

export type ConsoleFile = {
  readonly headers: Readonly<Record<string, string>>;
  readonly plain: Representation;
  /** By content encoding, best first. */
  readonly compressed: ReadonlyMap<string, Representation>;
};

/** All files of the console by path. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

/** The browser decides what the page shows (console/src), so the server sends the same page for each of these. */
export const pagePaths = [
  "/",
  "/assignments",
  "/history",
  "/add-people",
  "/assign-list",
  "/compare",
  "/matrix",
  "/offboard",
  "/first-steps",
  "/overview",
  "/people",
  "/person",
  "/projects",
  "/project",
  "/role",
  "/organizations",
  "/organization",
  "/administrators",
  "/account",
  "/signed-in",
];

const encodings = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

export function consoleFiles(built: BuiltConsole, settings: ConsoleSettings): ConsoleFiles {
  const page: ConsoleFile = {
    headers: { ...pageHeaders(settings), "content-type": "text/html; charset=utf-8", "cache-control": "no-cache" },
    plain: representation(Buffer.from(withSettings(built.html, settings))),
    compressed: new Map(),
  };
  return new Map([...pagePaths.map((path) => [path, page] as const), ...assets(built.assets)]);
}

function* assets(files: BuiltConsole["assets"]): Generator<[string, ConsoleFile]> {
  for (const [name, body] of files) {
    if (encodings.some(([, extension]) => name.endsWith(extension))) continue;
    const compressed = encodings.flatMap(([encoding, extension]) => {
      const found = files.get(name + extension);
      return found === undefined ? [] : [[encoding, representation(found)] as const];
    });
    const headers = {
      "content-type": contentTypes[extname(name)] ?? "application/octet-stream",
      // If the content changes, so does the name.
      "cache-control": "public, max-age=31536000, immutable",
      "cross-origin-resource-policy": "same-origin",
    };
    yield [`/assets/${name}`, { headers, plain: representation(body), compressed: new Map(compressed) }];
  }
}

export function representation(body: Buffer): Representation {
  return { body, etag: `"${createHash("sha256").update(body).digest("base64url")}"` };
}
