import { expect, test } from "vitest";
import { ListAuthorizationsRequestSchema } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { boundsOf } from "../../src/rpc/body/element-bounds.ts";
import { tooManyInJson } from "../../src/rpc/body/json-elements.ts";

test.each(['{"filter\\', '{"filter', '{"filters":[{"userId":{"id":"\\', '"\\'])(
  "JSON that ends in the middle of a text is not read beyond its end: %s",
  (text) => {
    // Its bytes are all there is in the memory behind them.
    const bytes = new Uint8Array(Buffer.from(text));
    expect(bytes.buffer.byteLength).toBe(bytes.byteLength);
    expect(tooManyInJson(boundsOf(ListAuthorizationsRequestSchema), bytes)).toBeUndefined();
  },
);
