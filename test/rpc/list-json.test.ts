import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { create, fromJsonString, toJsonString } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ListAuthorizationsResponseSchema } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { fromAuthorization } from "../../src/rpc/messages/authorizations.ts";
import { listJson } from "../../src/rpc/messages/list-json.ts";
import { callHeaders, pathOf } from "../support/call-headers.ts";
import { serveTests } from "../support/server.ts";

const server = await serveTests({ smallWorld: true });
const token = await server.database.token("root");

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("", '\0\b\f\n\r\t\u001f\u007f\u2028\u2029"\\/<>&', "\u{1f600}"),
);
const anyNumber = fc.nat(2 ** 32 - 1);
/** What is stored; whole seconds and milliseconds print fewer digits. */
const anyInstant = fc.oneof(
  fc.bigInt({ min: -62_135_596_800_000_000n, max: 253_402_300_799_999_999n }),
  fc.bigInt({ min: -62_135_596_800n, max: 253_402_300_799n }).map((seconds) => seconds * 1_000_000n),
  fc.bigInt({ min: -62_135_596_800_000n, max: 253_402_300_799_999n }).map((milliseconds) => milliseconds * 1_000n),
);

const anyAuthorization = fc.record({
  id: anyText,
  creationDate: anyInstant,
  changeDate: anyInstant,
  project: fc.record({ id: anyText, name: anyText, organizationId: anyText }),
  organization: fc.record({ id: anyText, name: anyText }),
  user: fc.record({
    id: anyText,
    preferredLoginName: anyText,
    displayName: anyText,
    avatarUrl: anyText,
    organizationId: anyText,
  }),
  state: fc.constantFrom("active" as const, "inactive" as const),
  expirationDate: fc.option(anyInstant, { nil: undefined }),
  expired: fc.boolean(),
  roles: fc.array(fc.record({ key: anyText, displayName: anyText, group: anyText }), { maxLength: 3 }),
});

const anyPage = fc.record({ totalResult: anyNumber, appliedLimit: anyNumber, nextPageToken: anyText });

test("the JSON of a list has the bytes that the library writes, whatever is in it", () => {
  fc.assert(
    fc.property(anyPage, fc.array(anyAuthorization, { maxLength: 4 }), (page, authorizations) => {
      const message = create(ListAuthorizationsResponseSchema, {
        pagination: page,
        authorizations: authorizations.map(fromAuthorization),
      });
      const written = toJsonString(ListAuthorizationsResponseSchema, message, { alwaysEmitImplicit: true });
      expect(listJson(message)).toBe(written);
    }),
    { seed: 1, numRuns: 2_000 },
  );
});

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
