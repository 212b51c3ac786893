import type { Input } from "./input.ts";
import { anyCall, bytesOf, headersOf, noMischief, oneRequest, pathOf, type Wish } from "./requests.ts";

/** A request for something that is not there, in a way that is not served, or written in an odd way. */
export function oddTarget(wish: Wish): Input {
  const { dice } = wish;
  const call = anyCall(wish, noMischief);
  const path = pathOf(call.method);
  const target = dice.pick([path, path, dice.pick(targets), dice.pick(ways)(path)]);
  const method = dice.chance(0.5) ? "POST" : dice.pick(verbs);
  const version = dice.chance(0.85) ? " HTTP/1.1" : dice.pick(versions);
  const headers = [...headersOf(call), ["content-length", String(call.plain.byteLength)] as const];
  const bytes = bytesOf(`${method} ${target}${version}`, headers, call.plain);
  return oneRequest("odd target", bytes, { isHead: method === "HEAD" });
}

const verbs = [
  "GET",
  "HEAD",
  "PUT",
  "DELETE",
  "PATCH",
  "OPTIONS",
  "TRACE",
  "PROPFIND",
  "QUERY",
  "PURGE",
  "SEARCH",
  "REPORT",
  "MERGE",
];

/** With the space in front, because one is to have none at all. */
const versions = [" HTTP/1.0", " HTTP/1.0", " HTTP/0.9", " HTTP/2.0", ""];

const targets = [
  ...[
    "/",
    "/healthz",
    "/readyz",
    "/healthz/",
    "/HEALTHZ",
    "/healthz?x=y",
    "/metrics",
    "/favicon.ico",
    "/.env",
    "/.git/config",
  ],
  ...[
    "*",
    "/*",
    "//",
    "///healthz",
    "/./healthz",
    "/../healthz",
    "/a/../healthz",
    "/%2e%2e/healthz",
    "/%68ealthz",
    "/healthz%00",
  ],
  ...[
    "/%",
    "/%zz",
    "/%ff",
    "/%c0%af",
    "/%u0041",
    "/é",
    "/😀",
    "/;a=b",
    "/?",
    "/#",
    "/a#b",
    "/\\",
    "/a|b",
    "/<x>",
    "/{id}",
    "/:id",
  ],
  ...[
    "http://x/healthz",
    "http://x",
    "http://[::1/healthz",
    "ftp://x/y",
    "x:80",
    "//elsewhere/healthz",
    "http:/healthz",
  ],
  ...[
    "/service.authorization.v2.AuthorizationService",
    "/service.authorization.v2.AuthorizationService/",
    "/__proto__",
    "/constructor",
  ],
  ...[`/${"a".repeat(8_000)}`, `/${"a/".repeat(3_000)}`, `/${"%41".repeat(2_000)}`, `/healthz?${"a=b&".repeat(2_000)}`],
];

const ways: ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => `/${path}`,
  (path) => path.toLowerCase(),
  (path) => path.slice(0, -1),
  (path) => `${path}?connect=v1&encoding=json&message=%7B%7D`,
  (path) => `${path}?a=%zz`,
  (path) => `${path}#x`,
  (path) => `${path};x`,
  (path) => `${path}%00`,
  (path) => `${path}%20`,
  (path) => `/.${path}`,
  (path) => `/x/..${path}`,
  (path) => path.replace("/", "/%2f"),
  (path) => path.replace("List", "%4cist"),
  (path) => path.replaceAll("/", "\\"),
  (path) => `${path.slice(0, -1)}%${path.charCodeAt(path.length - 1).toString(16)}`,
  (path) => `${path}?a=b#x`,
  (path) => `http://x${path}`,
  (path) => `HTTPS://[::1]:443${path}?a=b`,
  (path) => `http://${path}`,
  (path) => `http://x${path}#y`,
  (path) => `http://x/${path}`,
  (path) => `https://user:pass@elsewhere:1${path}`,
];
