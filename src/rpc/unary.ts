import {
  create,
  type DescMessage,
  type DescMethodUnary,
  isMessage,
  type JsonReadOptions,
  type JsonWriteOptions,
  type Message,
  type MessageShape,
  toJsonString,
} from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { createMethodSerializationLookup } from "@connectrpc/connect/protocol";
import { headerProtocolVersion, parseTimeout, protocolVersion } from "@connectrpc/connect/protocol-connect";
import { boundedBody } from "./body/bounded-body.ts";
import { malformed } from "./body/malformed.ts";
import { errorAnswer, failure, success } from "./door/answers.ts";
import { type Answer, type Arrival, Call, type Rpc } from "./door/call.ts";
import { type TimeLimits, withinDeadline } from "./door/deadline.ts";
import { compressionOf, isJson } from "./door/encoding.ts";
import type { FairShare } from "./door/fair-share.ts";
import { type Answered, type Handler, QuickList } from "./door/handler.ts";
import { beginWith, type Observation, type Observer } from "./door/observer.ts";
import { answering } from "./door/refusals.ts";
import { observed } from "./door/tell-observer.ts";

/** The steps that requests of some RPCs pass. */
export type Way = {
  readonly limits: TimeLimits & { readonly maximumRequestBytes: number };
  readonly observer: Observer | undefined;
  readonly share: FairShare;
  /** Runs between the headers and the body: finds the caller, and decides whether it may call now. */
  readonly gate: (call: Call) => Promise<void>;
  /** Runs between the body and the handler. */
  readonly check: (call: Call, request: Message) => Promise<void>;
  readonly jsonOptions: Partial<JsonReadOptions & JsonWriteOptions> & { readonly textDecoder: TextDecoder };
};

/**
 * An RPC with one request message and one answer. This is the whole path of a request, from its headers to its answer.
 * Connect's library reads and writes the messages and errors. Its own handlers could do the rest, too, for every
 * protocol and every kind of stream, but take twice as long (docs/explanation/path-of-a-request.md).
 */
export function unary<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  handler: Handler<DescMethodUnary<I, O>>,
  way: Way,
): Rpc {
  const { limits, observer, share, jsonOptions } = way;
  const readBody = boundedBody(method.input, limits.maximumRequestBytes, share);
  const { read, write } = formatOf(method, way);
  const rowsIn = rowsOf(method.output);

  async function work(arrival: Arrival, signal: AbortSignal, observation: Observation | undefined): Promise<Answer> {
    const { headers, log, body } = arrival;
    const timeout = parseTimeout(headers["connect-timeout-ms"]?.toString() ?? null, limits.maximumTimeoutMs);
    const call = new Call(method, headers, signal, timeout.timeoutMs);
    beginWith(call.values, observation?.log ?? log, observation);
    let bytes: Uint8Array = nothing;
    try {
      await way.gate(call);
      requireProtocolVersion(headers["connect-protocol-version"]);
      refuseIf(compressionOf(headers).error ?? timeout.error);
      bytes = await readBody(call, body);
      const request = read(bytes, isJson(headers));
      const response = await answering(call, async () => {
        await way.check(call, request);
        const answered = await handler(request, call);
        if (observation !== undefined) observation.rows = rowsIn(answered);
        return write(answered, isJson(headers));
      });
      return await success(call, response);
    } catch (error) {
      const mistake = error instanceof ConnectError ? malformed(error, method.input, bytes) : undefined;
      return mistake === undefined ? await failure(call, error, jsonOptions) : errorAnswer(mistake);
    } finally {
      share.leave(call.values);
    }
  }

  return {
    method,
    answer(arrival) {
      const inTime = (observation?: Observation) =>
        withinDeadline(arrival, limits, (signal) => work(arrival, signal, observation));
      if (observer === undefined) return inTime();
      return observed(observer, `${method.parent.typeName}/${method.name}`, arrival, inTime);
    },
  };
}

const nothing = new Uint8Array();

function requireProtocolVersion(sent: string | string[] | undefined): void {
  if (sent === protocolVersion) return;
  throw new ConnectError(
    sent === undefined
      ? `missing required header: set ${headerProtocolVersion} to "${protocolVersion}"`
      : `${headerProtocolVersion} must be "${protocolVersion}": got "${sent}"`,
    Code.InvalidArgument,
  );
}

function refuseIf(error: ConnectError | undefined): void {
  if (error !== undefined) throw error;
}

/**
 * Reads the requests of an RPC and writes its answers. JSON is written as a string, so Node sends it together with the
 * headers.
 */
function formatOf<I extends DescMessage, O extends DescMessage>(method: DescMethodUnary<I, O>, { jsonOptions }: Way) {
  const { output } = method;
  const library = createMethodSerializationLookup<I, O>(method, binaryOptions, jsonOptions, limitless);
  return {
    read: (bytes: Uint8Array, asJson: boolean): MessageShape<I> => library.getI(!asJson).parse(bytes),
    write(answered: Answered<O>, asJson: boolean): string | Uint8Array {
      if (asJson && answered instanceof QuickList) return answered.json();
      const init = answered instanceof QuickList ? answered.message() : answered;
      const message = isMessage(init, output) ? init : create(output, init);
      return asJson ? toJsonString(output, message, jsonOptions) : library.getO(true).serialize(message);
    },
  };
}

/** Unknown fields take only two bytes each, but each would be stored as an object. */
const binaryOptions = { readUnknownFields: false };
/** The size of bodies is checked earlier. */
const limitless = { readMaxBytes: 0xffffffff, writeMaxBytes: 0xffffffff };

/** Counts the rows in the answer of a list. Lists have a message `pagination` and one repeated field. */
function rowsOf({ field, fields }: DescMessage): (answered: object) => number | undefined {
  const rows = fields.find(({ fieldKind }) => fieldKind === "list")?.localName;
  if (field.pagination === undefined || rows === undefined) return () => undefined;
  return (answered) =>
    answered instanceof QuickList ? answered.rows : (answered as Record<string, unknown[]>)[rows]?.length;
}
