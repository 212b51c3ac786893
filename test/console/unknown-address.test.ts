import { describe, expect, test } from "vitest";
import { openBuiltConsole } from "../support/built-console.ts";
import { sendPlain } from "../support/plain-http.ts";
import { serverInTest, serveTests } from "../support/server.ts";

const chromium =
  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7";

const consoleFiles = await openBuiltConsole();
const server = await serveTests({ consoleFiles });

const unknown = [
  "/nope",
  "/nope?a=b",
  "/history/a1",
  "/assets/nope.js",
  "/service.authorization.v2.NopeService/List",
  "/%zz",
];

function send(path: string, accept: string | undefined, method = "GET") {
  return sendPlain(server.url, path, { method, headers: accept === undefined ? {} : { accept } });
}

describe("A browser at an unknown address", () => {
  test.each(unknown)(
    "is answered 404 with the console's page and what it may do at %s, and keeps nothing",
    async (path) => {
      const page = await sendPlain(server.url, "/");
      const { status, headers, body } = await send(path, chromium);
      expect([status, headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
      expect(body.toString()).toBe(page.body.toString());
      const { "cache-control": kept, etag, "x-request-id": id, date: _, ...rest } = headers;
      expect([kept, etag]).toEqual(["no-store", undefined]);
      expect(id).toMatch(/./);
      expect(page.headers).toMatchObject({ ...rest, date: expect.any(String) });
      expect(rest).toHaveProperty("content-security-policy");
      expect(rest).toHaveProperty("x-content-type-options", "nosniff");
    },
  );

  test.each(unknown)("is answered to HEAD %s without the page's body", async (path) => {
    const { headers } = await send(path, chromium);
    const head = await send(path, chromium, "HEAD");
    expect([head.status, head.headers["content-type"], head.headers["content-length"], head.body.length]).toEqual([
      404,
      headers["content-type"],
      headers["content-length"],
      0,
    ]);
  });
});

describe("At an unknown address", () => {
  test.each([
    "text/html",
    "TEXT/HTML",
    "text/html;charset=utf-8",
    "text/html ; q=0.1 , */*",
    "application/json;q=0.9, text/html",
    "application/json, text/html",
  ])("a client that accepts %s gets the page", async (accept) => {
    const { status, headers } = await send("/nope", accept);
    expect([status, headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
  });

  test.each([
    undefined,
    "",
    "*/*",
    "*",
    "text/*",
    "text/htmlx",
    "application/json",
    "application/proto",
    "application/xhtml+xml",
    "application/json, text/plain, */*",
  ])("a client that accepts %s gets the error in Connect's shape", async (accept) => {
    for (const path of unknown) await expectError(path, accept, "GET");
  });

  test.each(["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])("%s gets it also from a browser", async (method) => {
    for (const path of unknown) await expectError(path, chromium, method);
  });

  test("a page is logged as the refusal it is", async () => {
    // Of another server's many refusals in the same second, some have no line.
    const quiet = await serverInTest({ consoleFiles });
    for (const path of ["/nope", "/%zz"]) {
      const { headers } = await sendPlain(quiet.url, path, { headers: { accept: chromium } });
      expect(quiet.log.at(-1)).toMatchObject({
        msg: "refused",
        requestId: headers["x-request-id"],
        code: "unimplemented",
        status: 404,
      });
    }
    expect(quiet.log.filter(({ msg }) => msg === "refused")).toHaveLength(2);
  });
});

async function expectError(path: string, accept: string | undefined, method: string): Promise<void> {
  const { status, headers, body } = await send(path, accept, method);
  expect([status, headers["content-type"], headers["cache-control"]]).toEqual([404, "application/json", "no-store"]);
  expect(headers["content-security-policy"]).toBeUndefined();
  expect(JSON.parse(body.toString())).toEqual({ code: "unimplemented", message: expect.any(String) });
}
