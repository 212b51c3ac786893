import type { IncomingMessage } from "node:http";
import type { DescMessage } from "@bufbuild/protobuf";
import { buildPath, type Path } from "@bufbuild/protobuf/reflect";
import { Violation } from "@bufbuild/protovalidate";
import { FieldRulesSchema, RepeatedRulesSchema } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { Code, ConnectError, type ContextValues } from "@connectrpc/connect";
import { Refusal } from "../../authorization/refusal.ts";
import type { Call } from "../door/call.ts";
import type { Compressions } from "../door/encoding.ts";
import type { FairShare } from "../door/fair-share.ts";
import { fromRefusal } from "../door/refusals.ts";
import { tooManyInBinary } from "./binary-elements.ts";
import { type BodyLimit, plainLimit } from "./body-limit.ts";
import { boundsOf, type TooMany } from "./element-bounds.ts";
import { mostBytes } from "./field-rules.ts";
import { framedLimit, onlyMessage } from "./framed-message.ts";
import { GrowingBuffer } from "./growing-buffer.ts";
import { tooManyInJson } from "./json-elements.ts";
import { refuseViolations } from "./validation.ts";

/**
 * Reads and decompresses the body of a request, and limits what it can turn into when decoded. A few kilobytes of gzip
 * can become millions of empty messages, and decoding these only to refuse them would take a second and hundreds of
 * megabytes.
 *
 * A body that is too long for its RPC is `resource_exhausted`. A list with too many items or a text with too many bytes
 * is `invalid_argument`.
 */
export function boundedBody(
  input: DescMessage,
  maximumBytes: number,
  share: FairShare,
): (call: Call, body: IncomingMessage) => Promise<Uint8Array> {
  const most = bodyLimit(input, maximumBytes);
  const plain = plainLimit(most);
  const bounds = boundsOf(input);
  return async (call, body) => {
    const { values, headers, signal, compressions, isJson } = call;
    const { frames } = call.arrival.protocol;
    const hold = (bytes: number) => holdBytes(share, bytes, values);
    const limit = frames === undefined ? plain : framedLimit(most);
    const sent = await arrived(body, headers["content-length"], limit, hold, signal);
    const { data, isCompressed } =
      frames === undefined ? { data: sent, isCompressed: compressions.request !== null } : onlyMessage(sent, frames);
    const bytes = isCompressed ? await decompressed(data, compressions, most) : data;
    if (isCompressed) await hold(bytes.byteLength - data.byteLength);
    if (bytes.byteLength > largeBytes) await turnOfItsOwn();
    const found = isJson ? tooManyInJson(bounds, bytes) : tooManyInBinary(bounds, bytes);
    if (found !== undefined) refuseViolations([violationOf(found)]);
    return bytes;
  };
}

/** The bytes of a body as sent. */
function arrived(
  body: IncomingMessage,
  length: string | undefined,
  limit: BodyLimit,
  hold: (bytes: number) => void | Promise<void>,
  signal: AbortSignal,
): Promise<Buffer<ArrayBuffer>> | Buffer<ArrayBuffer> {
  /** Other processes may have to be asked whether there is room. */
  let asked: Promise<unknown> | undefined;
  const promised = Number(length);
  if (Number.isSafeInteger(promised)) limit.promised(promised);
  const all = new GrowingBuffer();
  const take = (chunk: Buffer<ArrayBuffer>) => {
    const held = hold(chunk.byteLength);
    if (held !== undefined) asked = Promise.all([asked, held]);
    all.append(chunk);
    limit.arrived(all.bytes);
  };
  // A stream of HTTP/2 is complete when it has been read, or reset.
  if (body.complete && !("stream" in body)) {
    // A short body has already arrived with its headers.
    for (let chunk = body.read(); chunk !== null; chunk = body.read()) take(chunk);
    return asked === undefined ? all.bytes : asked.then(() => all.bytes);
  }
  return new Promise((resolve, reject) => {
    const stop = (error: unknown) => {
      // The rest of the body is dropped, so the connection can be used again.
      body.off("data", takeOrStop).resume();
      reject(error);
    };
    const takeOrStop = (chunk: Buffer<ArrayBuffer>) => {
      try {
        take(chunk);
        asked?.catch(stop);
      } catch (error) {
        stop(error);
      }
    };
    const breakOff = () => stop(new Error("the body broke off"));
    body
      .on("data", takeOrStop)
      .once("end", () => resolve(asked === undefined ? all.bytes : asked.then(() => all.bytes)));
    body.once("error", reject).once("close", breakOff);
    // The deadline has passed, or the client has gone: no one waits for the body any more.
    if (body.destroyed || signal.aborted) breakOff();
    else signal.addEventListener("abort", breakOff, { once: true });
  });
}

async function decompressed(
  data: Uint8Array<ArrayBuffer>,
  { request }: Compressions,
  most: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (request !== null) return request.decompress(data, most);
  // Only a frame can say that it is compressed when the headers don't.
  throw new ConnectError("protocol error: a compressed message needs grpc-encoding", Code.InvalidArgument);
}

function holdBytes(share: FairShare, bytes: number, values: ContextValues): void | Promise<void> {
  try {
    return share.hold(bytes, values)?.catch(refuse);
  } catch (error) {
    refuse(error);
  }
}

function refuse(error: unknown): never {
  throw error instanceof Refusal ? fromRefusal(error) : error;
}

/** Room for unknown field names and for some whitespace. */
const sparedBytes = 4_096;

/**
 * The maximum size of a body: twice what its rules allow, because JSON may be indented, but never more than `maximum`.
 */
function bodyLimit(input: DescMessage, maximum: number): number {
  return Math.min(maximum, sparedBytes + 2 * mostBytes(input));
}

/** Larger bodies can block the event loop for tens of milliseconds. */
const largeBytes = 65_536;
let lastTurn: Promise<void> = Promise.resolve();

/** Resolves in a turn of the event loop without other large bodies, so small requests are answered in between. */
function turnOfItsOwn(): Promise<void> {
  lastTurn = lastTurn.then(() => new Promise<void>((resolve) => setImmediate(resolve)));
  return lastTurn;
}

function violationOf({ path, most, what }: TooMany): Violation {
  switch (what) {
    case "items":
      return new Violation(`must have at most ${most} items`, "repeated.max_items", path, maxItemsRule, false);
    case "characters":
      return new Violation(`must be at most ${most} characters`, "number.max_len", path, [], false);
    case "bytes":
      return new Violation(`must be at most ${most} bytes in JSON`, "json.max_bytes", path, [], false);
    case "elements": {
      const text = `the request must have at most ${most} fields and list items`;
      return new Violation(text, "request.max_elements", path, [], false);
    }
  }
}

/** The path of the rule in protovalidate. */
const maxItemsRule: Path = buildPath(FieldRulesSchema)
  .field(FieldRulesSchema.field.repeated)
  .field(RepeatedRulesSchema.field.maxItems)
  .toPath();
