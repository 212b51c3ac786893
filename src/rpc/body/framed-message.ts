import { Code, ConnectError } from "@connectrpc/connect";
import { compressedFlag } from "@connectrpc/connect/protocol";
import { trailerFlag } from "@connectrpc/connect/protocol-grpc-web";
import type { Frames } from "../door/call.ts";
import { type BodyLimit, tooLong } from "./body-limit.ts";

/** The bytes before a message: its flags, and its length as a 32-bit number. */
const headBytes = 5;

/** Room for a frame with trailers after the message. */
const sparedBytes = 8_192;

/** The limit of a body with one message in a frame. A message that is too long is refused by its head alone. */
export function framedLimit(most: number): BodyLimit {
  let length: number | undefined;
  return {
    promised() {},
    arrived(body) {
      // The length of the first message, once its head has arrived.
      if (length === undefined && body.byteLength >= headBytes) length = body.readUInt32BE(1);
      if (length === undefined) return;
      if (length > most) throw tooLong(most, length);
      if (body.byteLength > headBytes + length + sparedBytes) throw wrongNumber("received extra input message");
    },
  };
}

/**
 * The message in the body of an RPC with one request message. No message or several are `unimplemented`, as gRPC
 * prescribes. Anything else that is not a frame is `invalid_argument`.
 */
export function onlyMessage(
  body: Buffer<ArrayBuffer>,
  { mayHaveTrailers }: Frames,
): { readonly data: Buffer<ArrayBuffer>; readonly isCompressed: boolean } {
  let only: ReturnType<typeof onlyMessage> | undefined;
  for (let at = 0; at < body.byteLength; ) {
    const rest = body.byteLength - at - headBytes;
    const length = rest < 0 ? 0 : body.readUInt32BE(at + 1);
    if (rest < length) throw malformedFrame("protocol error: incomplete envelope");
    const flags = body.readUInt8(at);
    const data = body.subarray(at + headBytes, at + headBytes + length);
    at += headBytes + length;
    if (mayHaveTrailers && (flags & ~compressedFlag) === trailerFlag) continue;
    if ((flags & ~compressedFlag) !== 0) throw malformedFrame(`protocol error: invalid envelope flags ${flags}`);
    if (only !== undefined) throw wrongNumber("received extra input message");
    only = { data, isCompressed: flags === compressedFlag };
  }
  if (only === undefined) throw wrongNumber("missing input message");
  return only;
}

/** With the code of gRPC's list of status codes for the wrong number of messages. */
function wrongNumber(what: string): ConnectError {
  return new ConnectError(`protocol error: ${what} for unary method`, Code.Unimplemented);
}

function malformedFrame(message: string): ConnectError {
  return new ConnectError(message, Code.InvalidArgument);
}
