import { readFile } from "node:fs/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { ConsoleSettings } from "../../src/console/settings.ts";
import { openBuiltConsole, page, script } from "../support/built-console.ts";
import { callHeaders } from "../support/call-headers.ts";
import { databaseOfTests } from "../support/database.ts";
import { type PlainAnswer, sendPlain } from "../support/plain-http.ts";
import { openRaw, request } from "../support/raw-http.ts";
import { serverInTest, serveTests } from "../support/server.ts";
import { proxyOfTests } from "../support/tcp-proxy.ts";
import { loadSmallWorld } from "../support/world.ts";

const settings: ConsoleSettings = {
  title: "Access at <Acme>",
  oidc: {
    issuer: "https://issuer.example/tenant/",
    clientId: `a"b'c</head><script>&quot;`,
    scopes: "openid profile",
    audience: "us",
  },
  avatarOrigins: ["https://pictures.example", "http://localhost:9000"],
  isReasonRequired: true,
  longestTokenSeconds: 604_800,
  mostRows: 500,
};
// What was read at the start is answered, although its files are gone.
const consoleFiles = await openBuiltConsole(settings);
const database = await databaseOfTests();
const proxy = await proxyOfTests(database.url);
const server = await serveTests({
  consoleFiles,
  database: { ...database, url: proxy.url },
  limits: { maximumInFlight: 1 },
});

const get = (path: string, headers: Record<string, string> = {}) => sendPlain(server.url, path, { headers });

/** The pages that the browser knows. */
const router = await readFile(new URL("../../console/src/router.tsx", import.meta.url), "utf8");
const paths = [...router.matchAll(/\b(?:path: |page\(\s*)"([^"]+)"/g)].map(([, path = ""]) => path);
const asset = "/assets/index-Ab_1-x.js";
const list = "/service.authorization.v2.AuthorizationService/ListAuthorizations";

function expectRefused({ status, headers, body }: PlainAnswer, expected: number): void {
  const kind = [headers["content-type"], headers["cache-control"]];
  expect([status, ...kind]).toEqual([expected, "application/json", "no-store"]);
  expect(JSON.parse(body.toString())).toEqual({ code: "unimplemented", message: expect.any(String) });
}

describe("The page", () => {
  test.each([...paths, "/?filters=%5B%5D", "/history?of=%zz"])("is what GET %s answers", async (path) => {
    const { status, headers, body } = await get(path);
    expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(headers["content-length"]).toBe(String(body.length));
    expect(body.toString()).toMatch(/^<!doctype html><head><meta name="console-settings" content="[^"]*" \/><title>/);
  });

  test.each(paths)("is answered to HEAD %s without its body", async (path) => {
    const { etag, "content-length": length } = (await get(path)).headers;
    const { status, headers, body } = await sendPlain(server.url, path, { method: "HEAD" });
    expect([status, headers.etag, headers["content-length"], body.length]).toEqual([200, etag, length, 0]);
  });

  test("has the settings in an attribute, whatever is in them", async () => {
    const html = (await get("/")).body.toString();
    const [, attribute = ""] = /<meta name="console-settings" content="([^"]*)"/.exec(html) ?? [];
    expect(attribute).not.toMatch(/[<>']</);
    const text = attribute
      .replaceAll("&quot;", '"')
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&");
    expect(JSON.parse(text)).toEqual(settings);
    // Nothing but the attribute and the title has changed.
    expect(html.replace(attribute, "{}").replace("<title>Access at &lt;Acme&gt;", "<title>Authorizations")).toBe(page);
  });

  test("is requested each time, and not sent again while it is unchanged", async () => {
    const { headers } = await get("/");
    expect(headers["cache-control"]).toBe("no-cache");
    const etag = headers.etag ?? "";
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const answer = await get("/", { "if-none-match": known });
      expect([answer.status, answer.body.length, answer.headers.etag]).toEqual([304, 0, etag]);
      expect(answer.headers["content-security-policy"]).toBe(headers["content-security-policy"]);
    }
    expect((await get("/", { "if-none-match": '"other"' })).status).toBe(200);
  });

  test("has another ETag with other settings", async () => {
    const other = await openBuiltConsole({ ...settings, avatarOrigins: [], isReasonRequired: false });
    expect(other?.get("/")?.plain.etag).not.toBe((await get("/")).headers.etag);
  });
});

describe("A browser is told that the page", () => {
  const policyOf = ({ headers }: PlainAnswer) =>
    Object.fromEntries(
      String(headers["content-security-policy"])
        .split("; ")
        .map((directive) => [directive.split(" ")[0], directive.split(" ").slice(1)]),
    );

  test("runs and loads nothing but what comes from here, calls the issuer, and shows pictures of named origins", async () => {
    expect(policyOf(await get("/"))).toEqual({
      "default-src": ["'none'"],
      "script-src": ["'self'"],
      "style-src": ["'self'"],
      "font-src": ["'self'"],
      "img-src": ["'self'", "https://pictures.example", "http://localhost:9000"],
      "connect-src": ["'self'", "https://issuer.example"],
      "base-uri": ["'none'"],
      "form-action": ["'none'"],
      "frame-ancestors": ["'none'"],
      "require-trusted-types-for": ["'script'"],
    });
  });

  test("calls and shows nothing of elsewhere when neither is configured", async () => {
    const files = await openBuiltConsole();
    const policy = files?.get("/")?.headers["content-security-policy"];
    expect(policy).toContain("img-src 'self';");
    expect(policy).toContain("connect-src 'self';");
  });

  test.each([
    ["is framed by nobody", "x-frame-options", "DENY"],
    ["tells nobody where people came from", "referrer-policy", "no-referrer"],
    ["is what its content type says", "x-content-type-options", "nosniff"],
    ["shares no process with windows of others", "cross-origin-opener-policy", "same-origin"],
    ["is no part of other pages", "cross-origin-resource-policy", "same-origin"],
    [
      "uses no camera, microphone or place",
      "permissions-policy",
      "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    ],
  ])("%s", async (_what, name, value) => {
    for (const path of paths) expect((await get(path)).headers[name]).toBe(value);
  });
});

test.each(["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])(
  "Neither a page nor an asset is the answer to %s, which is 405 with Allow",
  async (method) => {
    for (const path of [...paths, asset]) {
      const answer = await sendPlain(server.url, path, { method });
      expectRefused(answer, 405);
      expect(answer.headers.allow).toBe("GET, HEAD");
    }
  },
);

describe("An asset", () => {
  test("may be cached forever, because its name changes with its content", async () => {
    const { status, headers, body } = await get(asset);
    expect([status, headers["content-type"], body.toString()]).toEqual([200, "text/javascript; charset=utf-8", script]);
    expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(headers["x-content-type-options"]).toBe("nosniff");
  });

  test.each([
    ["gzip, deflate, br, zstd", "br"],
    ["br;q=0.5, gzip", "gzip"],
    ["GZIP", "gzip"],
    ["*", "br"],
    ["br;q=0, gzip;q=0", undefined],
    ["identity", undefined],
    ["zstd, toString", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("asked for with Accept-Encoding: %s is compressed with %s", async (accepted, encoding) => {
    const answer = await get(asset, accepted === undefined ? {} : { "accept-encoding": accepted });
    const { status, headers, body } = answer;
    expect([status, headers["content-encoding"], headers.vary]).toEqual([200, encoding, "accept-encoding"]);
    expect(headers["content-type"]).toBe("text/javascript; charset=utf-8");
    expect(headers["content-length"]).toBe(String(body.length));
    const decode = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ""] ?? ((bytes: Buffer) => bytes);
    expect(decode(body).toString()).toBe(script);
  });

  test("says what it varies by beside what CORS says", async () => {
    const shared = await serverInTest({ consoleFiles, database, corsOrigins: ["https://shop.example"] });
    const { headers } = await sendPlain(shared.url, asset, { headers: { "accept-encoding": "br" } });
    expect(headers.vary?.toLowerCase().split(/, */).toSorted()).toEqual(["accept-encoding", "origin"]);
  });

  test("is not compressed where that was no use", async () => {
    const { headers, body } = await get("/assets/icon-B--D36O_.svg", { "accept-encoding": "br" });
    expect([headers["content-type"], headers["content-encoding"], headers.vary]).toEqual([
      "image/svg+xml",
      undefined,
      undefined,
    ]);
    expect(body.toString()).toContain("<svg");
  });

  test("has an ETag for each encoding, and is not sent again with the same", async () => {
    const plain = (await get(asset)).headers.etag ?? "";
    const br = (await get(asset, { "accept-encoding": "br" })).headers.etag ?? "";
    expect(br).not.toBe(plain);
    const same = await get(asset, { "accept-encoding": "br", "if-none-match": br });
    expect([same.status, same.body.length, same.headers.vary]).toEqual([304, 0, "accept-encoding"]);
    expect(same.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect((await get(asset, { "accept-encoding": "br", "if-none-match": plain })).status).toBe(200);
  });

  test("is answered to HEAD as to GET, without its body", async () => {
    const { headers } = await get(asset, { "accept-encoding": "gzip" });
    const head = await sendPlain(server.url, asset, { method: "HEAD", headers: { "accept-encoding": "gzip" } });
    expect(head.body.length).toBe(0);
    for (const name of ["etag", "content-length", "content-encoding", "content-type"] as const) {
      expect(head.headers[name]).toBe(headers[name]);
    }
  });

  test.each(["bytes=0-9", "bytes=-5", "bytes=5-", "bytes=9-1", "bytes=99999999999-", "bytes=0-1,3-4", "lines=1", "x"])(
    "is answered whole to Range: %s",
    async (range) => {
      const { status, headers, body } = await get(asset, { range, "if-range": "x" });
      expect([status, headers["accept-ranges"], body.toString()]).toEqual([200, undefined, script]);
    },
  );

  test.each(["if-match", "if-unmodified-since", "if-modified-since"])("is answered whatever %s says", async (name) => {
    expect((await get(asset, { [name]: "x" })).status).toBe(200);
  });
});

test.each([
  "/assets",
  "/assets/",
  "/assets/nope-Ab_1-x.js",
  "/assets/INDEX-Ab_1-x.js",
  `${asset}.br`,
  `${asset}.gz`,
  `${asset}/`,
  `${asset}%00`,
  `${asset}%00.svg`,
  "/.stamp",
  "/assets/.stamp",
  "/assets/../.stamp",
  "/assets/%2e%2e/.stamp",
  "/assets/..%2f.stamp",
  "/assets/..%5c.stamp",
  "/assets/..\\.stamp",
  "/assets/....//index.html",
  "/../../../etc/passwd",
  "/assets/../../../../../../etc/passwd",
  "/assets/%2e%2e%2f%2e%2e%2f%2e%2e%2fetc%2fpasswd",
  "/assets%2findex-Ab_1-x.js",
  "//assets/index-Ab_1-x.js",
  "/./assets/index-Ab_1-x.js",
  "/assets/%zz",
  "/index.html",
  "/favicon.ico",
  "/history/",
  "/History",
  "/history/a1",
  "//",
  "/console/dist/index.html",
  "/package.json",
])("%s is nothing, in Connect's shape, and not to be kept", async (path) => {
  for (const method of ["GET", "POST"]) expectRefused(await sendPlain(server.url, path, { method }), 404);
});

test("The console is answered without a line of log", async () => {
  // A server of its own: the one above still sums up what it refused.
  const quiet = await serverInTest({ consoleFiles, database });
  await sendPlain(quiet.url, "/favicon.ico");
  const before = quiet.log.length;
  expect(quiet.log.at(-1)).toMatchObject({ msg: "refused", status: 404 });
  for (const path of [...paths, asset]) await sendPlain(quiet.url, path);
  expect(quiet.log.slice(before)).toEqual([]);
});

describe("The console is answered", () => {
  async function expectAnswered(): Promise<void> {
    for (const path of [...paths, asset]) expect([path, (await get(path)).status]).toEqual([path, 200]);
  }

  test("while the server refuses requests for overload", async () => {
    await loadSmallWorld(database);
    const occupying = openRaw(server.url);
    const headers = { host: "x", ...callHeaders(await database.token("root")) };
    const isOverloaded = async () =>
      (await sendPlain(server.url, list, { method: "POST", headers })).body.includes("OVERLOADED");
    occupying.send(request(`POST ${list} HTTP/1.1`, { ...headers, "content-length": "2" }));
    await expect.poll(isOverloaded).toBe(true);
    await expectAnswered();
    expect(await isOverloaded()).toBe(true);
    occupying.close();
  });

  test("while Postgres is away", async () => {
    await proxy.cut();
    expect((await get("/readyz")).status).toBe(503);
    await expectAnswered();
    await proxy.restore();
  });
});

test.each([{}, { accept: "text/html" }])(
  "RPCs and health checks are answered as without a console: %j",
  async (sent) => {
    expect((await get("/healthz", sent)).body.toString()).toBe('{"status":"alive"}');
    const answer = await get(list, sent);
    expectRefused(answer, 405);
    expect(answer.headers.allow).toBe("POST");
  },
);

test("Nothing is a page where no console is served", async () => {
  const without = await serverInTest({ database });
  for (const path of [...paths, asset, "/nope", "/%zz"]) {
    for (const method of ["GET", "HEAD", "POST"]) {
      const { status, headers } = await sendPlain(without.url, path, { method, headers: { accept: "text/html" } });
      expect([status, headers["content-type"]]).toEqual([404, "application/json"]);
      expect(headers["content-security-policy"]).toBeUndefined();
    }
  }
});
