import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { serverInTest, serveTests } from "../support/server.ts";

const { database, url } = await serveTests({ smallWorld: true });

async function start(publicUrl: string): Promise<(path: string, init?: RequestInit) => Promise<Response>> {
  const server = await serverInTest({ database, publicUrl });
  return (path, init) => fetch(`${server.url}/.well-known/authzen-configuration${path}`, init);
}

describe("Without PUBLIC_URL, the metadata of the AuthZEN Authorization API", () => {
  test("is not there, whatever a client calls the server", async () => {
    const headers = { "x-forwarded-host": "pdp.example", "x-forwarded-proto": "https" };
    const { status } = await fetch(`${url}/.well-known/authzen-configuration`, { headers });
    expect(status).toBe(404);
  });
});

describe("With PUBLIC_URL, the metadata of the AuthZEN Authorization API", () => {
  test("comes without credentials, and may be cached", async () => {
    const get = await start("https://pdp.example");
    const answer = await get("");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=3600");
    expect(answer.headers.get("content-type")).toBe("application/json");
    const headers = { "if-none-match": answer.headers.get("etag") ?? "" };
    expect((await get("", { headers })).status).toBe(304);
    expect((await get("", { method: "HEAD" })).status).toBe(200);
    expect((await get("", { method: "POST" })).status).toBe(405);
    expect((await get("", { headers: { "x-request-id": "a b" } })).headers.get("x-request-id")).toBe("a b");
  });

  test("has nothing empty in it, and only https URLs without a query or fragment", async () => {
    const get = await start("https://pdp.example:8443");
    const metadata = (await (await get("")).json()) as Record<string, string>;
    for (const value of Object.values(metadata)) {
      expect(value).toMatch(/^https:\/\/pdp\.example:8443[^?#]*$/);
      expect(value.endsWith("/")).toBe(false);
    }
  });

  test("is at the path that follows from the URL's path, and nowhere else", async () => {
    const get = await start("https://pdp.example/eu/tenant-1");
    expect((await get("")).status).toBe(404);
    const metadata = (await (await get("/eu/tenant-1")).json()) as Record<string, string>;
    expect(metadata.policy_decision_point).toBe("https://pdp.example/eu/tenant-1");
    expect(metadata.access_evaluation_endpoint).toBe("https://pdp.example/eu/tenant-1/access/v1/evaluation");
  });
});

describe("PUBLIC_URL", () => {
  test.each([
    "http://pdp.example",
    "https://pdp.example/",
    "https://pdp.example/tenant/",
    "https://pdp.example?x",
    "https://pdp.example#x",
    "https://user@pdp.example",
    "https://PDP.example",
    "https://pdp.example:443",
    "https://pdp.example:99999",
    "https://pdp.example/a/../b",
    "https://pdp.example/:tenant",
    "https://pdp.example/*",
    "pdp.example",
  ])("can't be %s", (text) => {
    expect(() => readConfig({ PUBLIC_URL: text })).toThrow(/^PUBLIC_URL: must be an https:\/\/ URL/);
  });

  test.each([
    "https://pdp.example",
    "https://pdp.example:8443",
    "https://10.0.0.1/t/1",
    "https://pdp.example/a.b_c~d-e",
  ])("can be %s", (text) => {
    expect(readConfig({ PUBLIC_URL: text }).publicUrl).toBe(text);
  });
});

test("AUTHZEN_RESOURCE_TYPE names the type of projects, which is project without it", () => {
  expect(readConfig({}).authzenResourceType).toBe("project");
  expect(readConfig({ AUTHZEN_RESOURCE_TYPE: "record" }).authzenResourceType).toBe("record");
});
