import type { DescMessage } from "@bufbuild/protobuf";
import { buildPath, type Path } from "@bufbuild/protobuf/reflect";
import { Violation } from "@bufbuild/protovalidate";
import { FieldRulesSchema, RepeatedRulesSchema } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import type { ContextValues } from "@connectrpc/connect";
import { readAllBytes } from "@connectrpc/connect/protocol";
import { Refusal } from "../../authorization/refusal.ts";
import { compressionOf } from "../door/encoding.ts";
import type { FairShare } from "../door/fair-share.ts";
import { fromRefusal } from "../door/refusals.ts";
import type { Request, Step } from "../door/step.ts";
import { tooManyInBinary } from "./binary-elements.ts";
import { boundsOf, type TooMany } from "./element-bounds.ts";
import { mostBytes } from "./field-rules.ts";
import { tooManyInJson } from "./json-elements.ts";
import { refuseViolations } from "./validation.ts";

/**
 * Bounds what the body of a request may turn into before Connect decodes it. A few kilobytes of gzip become millions of
 * empty messages, which would take a second and hundreds of megabytes to decode only to be refused.
 *
 * A body that is too long for its RPC is `resource_exhausted`; a list with too many items, or a text with too many bytes, is
 * `invalid_argument`.
 */
export function boundedBody(maximumBytes: number, share: FairShare): Step {
  return ({ method: { input } }) => {
    const most = bodyLimit(input, maximumBytes);
    const bounds = boundsOf(input);

    async function* bounded({ header, body, contextValues }: Request): AsyncGenerator<Uint8Array> {
      const hold = (bytes: number) => holdBytes(share, bytes, contextValues);
      const { request: compression } = compressionOf(header);
      let bytes = await readAllBytes(held(body, hold), most, header.get("content-length"));
      if (compression !== null) {
        const sent = bytes.byteLength;
        bytes = await compression.decompress(bytes, most);
        hold(bytes.byteLength - sent);
      }
      if (bytes.byteLength > largeBytes) await turnOfItsOwn();
      const isJson = header.get("content-type")?.toLowerCase().startsWith("application/json") === true;
      const found = isJson ? tooManyInJson(bounds, bytes) : tooManyInBinary(bounds, bytes);
      if (found !== undefined) refuseViolations([violationOf(found)]);
      yield bytes;
    }

    // The body is read when Connect asks for it: after the gate.
    return (request, next) => next({ ...request, header: withoutCompression(request.header), body: bounded(request) });
  };
}

async function* held(body: Request["body"], hold: (bytes: number) => void) {
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    hold(chunk.byteLength);
    yield chunk;
  }
}

function holdBytes(share: FairShare, bytes: number, values: ContextValues): void {
  try {
    share.hold(bytes, values);
  } catch (error) {
    throw error instanceof Refusal ? fromRefusal(error) : error;
  }
}

/** Room for the names of fields that are not known, and for some space. */
const sparedBytes = 4_096;

/** The most bytes a body may have: twice what its rules allow, because JSON may be indented, and never more than `maximum`. */
function bodyLimit(input: DescMessage, maximum: number): number {
  return Math.min(maximum, sparedBytes + 2 * mostBytes(input));
}

/** What Connect is told about a body that is handed to it decompressed. It refuses an unknown compression itself. */
function withoutCompression(header: Headers): Headers {
  const { request, response } = compressionOf(header);
  if (request === null) return header;
  const plain = new Headers(header);
  plain.delete("content-encoding");
  plain.delete("content-length");
  // A client that doesn't say what it accepts gets the compression it used.
  if (response !== null) plain.set("accept-encoding", response.name);
  return plain;
}

/** Larger bodies can keep the event loop for tens of milliseconds. */
const largeBytes = 65_536;
let lastTurn: Promise<void> = Promise.resolve();

/** Resolves in a turn of the event loop with no other large body in it, so that small requests are answered in between. */
function turnOfItsOwn(): Promise<void> {
  lastTurn = lastTurn.then(() => new Promise<void>((resolve) => setImmediate(resolve)));
  return lastTurn;
}

function violationOf({ path, most, what }: TooMany): Violation {
  switch (what) {
    case "items":
      return new Violation(
        `must contain no more than ${most} item(s)`,
        "repeated.max_items",
        path,
        maxItemsRule,
        false,
      );
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

/** As protovalidate names it. */
const maxItemsRule: Path = buildPath(FieldRulesSchema)
  .field(FieldRulesSchema.field.repeated)
  .field(RepeatedRulesSchema.field.maxItems)
  .toPath();
