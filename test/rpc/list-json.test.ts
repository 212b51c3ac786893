import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { fromJsonString, toJsonString } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { ListAuthorizationsResponseSchema } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { callHeaders, pathOf } from "../support/call-headers.ts";
import { serveSmallWorld } from "../support/server.ts";

const { server, root: token } = await serveSmallWorld();

describe("A list in JSON", () => {
  async function list(body: object, headers: Record<string, string>) {
    const url = `${server.url}${pathOf("ListAuthorizations")}`;
    const sent = request(url, { method: "POST", headers: { ...callHeaders(token), ...headers } });
    sent.end(JSON.stringify(body));
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    return { status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) };
  }

  test("of rows that are stored has the bytes that the library writes", async () => {
    const { bytes } = await list({}, {});
    const message = fromJsonString(ListAuthorizationsResponseSchema, bytes.toString());
    expect(message.authorizations).toHaveLength(6);
    const written = toJsonString(ListAuthorizationsResponseSchema, message, { alwaysEmitImplicit: true });
    expect(bytes.toString()).toBe(written);
  });

  test("is compressed when the client accepts gzip, and its length is told", async () => {
    const plain = await list({}, {});
    expect([plain.status, plain.headers["content-encoding"]]).toEqual([200, undefined]);
    expect(plain.headers["content-length"]).toBe(String(plain.bytes.length));
    const { headers, bytes } = await list({}, { "accept-encoding": "br, gzip" });
    expect(headers["content-length"]).toBe(String(bytes.length));
    expect(headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(bytes)).toEqual(plain.bytes);
  });

  test.each([
    ["when the client accepts no gzip", "br", {}, 6],
    ["where that saves nothing", "gzip", { filters: [{ userId: { id: "x" } }] }, 0],
  ])("is not compressed %s", async (_what, accepted, request, rows) => {
    const { headers, bytes } = await list(request, { "accept-encoding": accepted });
    expect(headers["content-encoding"]).toBeUndefined();
    expect(JSON.parse(bytes.toString()).authorizations).toHaveLength(rows);
  });

  test.each(["application/json", "Application/JSON", "application/json; charset=utf-8"])(
    "is the same for the content type %s, and says application/json",
    async (contentType) => {
      const { headers, bytes } = await list({ pagination: { limit: 1 } }, { "content-type": contentType });
      expect(headers["content-type"]).toBe("application/json");
      expect(JSON.parse(bytes.toString()).authorizations).toHaveLength(1);
    },
  );
});
