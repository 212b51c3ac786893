import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { serveTests } from "../support/server.ts";
import { services } from "../support/services.ts";

const server = await serveTests({ corsOrigins: ["https://shop.example"], metrics: true });

const ask = (headers: Record<string, string> = {}, method = "GET") =>
  fetch(`${server.url}/openapi.json`, { method, headers });

describe("/openapi.json", () => {
  test("is a valid OpenAPI 3.1 document", async () => {
    const validator = new Validator();
    expect(await validator.validate(JSON.parse(await (await ask()).text()))).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
  });

  test("describes every RPC but streams as a POST at its path, and nothing else", async () => {
    const { paths } = (await (await ask()).json()) as { paths: Record<string, object> };
    const expected = services.flatMap(({ typeName, methods }) =>
      methods.filter(({ methodKind }) => methodKind === "unary").map(({ name }) => `/${typeName}/${name}`),
    );
    expect(Object.keys(paths).toSorted()).toEqual(expected.toSorted());
    expect(Object.values(paths).flatMap(Object.keys)).toEqual(expected.map(() => "post"));
  });

  test("needs no credentials, and is not sent again while it is the same", async () => {
    const answer = await ask();
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.get("cache-control")).toBe("no-cache");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    const again = await ask({ "if-none-match": answer.headers.get("etag") ?? "" });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  test("is compressed for clients that accept it, and has an ETag of its own then", async () => {
    const [plain, packed] = await Promise.all([
      ask({ "accept-encoding": "identity" }),
      ask({ "accept-encoding": "gzip" }),
    ]);
    expect([plain, packed].map(({ headers }) => headers.get("content-encoding"))).toEqual([null, "gzip"]);
    expect(packed.headers.get("vary")).toContain("accept-encoding");
    expect(packed.headers.get("etag")).not.toBe(plain.headers.get("etag"));
    expect(await packed.json()).toEqual(await plain.json());
  });

  test("takes GET and HEAD alone", async () => {
    const answer = await ask({}, "POST");
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  test("has no line in the log and no metric, as the console's files have none", async () => {
    const before = server.log.length;
    await ask();
    expect(server.log.slice(before)).toEqual([]);
    expect(await (await fetch(server.metricsUrl ?? "")).text()).not.toContain("openapi");
  });
});
