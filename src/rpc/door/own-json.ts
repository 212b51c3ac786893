import { create, type DescMethodUnary, type MessageShape } from "@bufbuild/protobuf";
import { createContextKey, type Interceptor } from "@connectrpc/connect";
import { createAsyncIterable, type UniversalServerResponse } from "@connectrpc/connect/protocol";
import { compressionOf } from "./encoding.ts";
import type { Step } from "./step.ts";

/**
 * Lets a writer of our own make the JSON of an RPC's answers. The interceptor takes the message away before the library
 * writes it, and the step answers with the bytes. The rest of the response stays Connect's.
 */
export function ownJson<Method extends DescMethodUnary>(
  method: Method,
  write: (message: MessageShape<Method["output"]>) => string,
): { readonly interceptor: Interceptor; readonly step: Step } {
  const writtenKey = createContextKey<Uint8Array | undefined>(undefined);
  return {
    interceptor: (next) => async (request) => {
      const response = await next(request);
      const isJson = /^application\/json/i.test(request.header.get("content-type") ?? "");
      if (response.stream || response.method !== method || !isJson) return response;
      request.contextValues.set(writtenKey, Buffer.from(write(response.message as MessageShape<Method["output"]>)));
      return { ...response, message: create(method.output) };
    },
    step: () => async (request, next) => {
      const response = await next(request);
      const bytes = request.contextValues.get(writtenKey);
      return bytes === undefined ? response : withBody(response, bytes, request.header);
    },
  };
}

/** Connect's own threshold, in bytes. */
const leastToCompress = 1_024;

/** Compressed as Connect would. */
async function withBody(response: UniversalServerResponse, bytes: Uint8Array, asked: Headers) {
  const { response: compression } = compressionOf(asked);
  const header = new Headers(response.header);
  let body = bytes;
  if (compression !== null && bytes.byteLength >= leastToCompress) {
    body = await compression.compress(bytes);
    header.set("content-encoding", compression.name);
  }
  header.set("content-length", String(body.byteLength));
  return { ...response, header, body: createAsyncIterable([body]) };
}
