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
import { boundedBody } from "./body/bounded-body.ts";
import { malformed } from "./body/malformed.ts";
import { type Answer, type Arrival, Call, type Rpc, type Timeout } from "./door/call.ts";
import { type TimeLimits, withinDeadline } from "./door/deadline.ts";
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
 * An RPC with one request message and one answer. This is the whole path of a request, from its headers to its answer,
 * whatever its protocol. Connect's library reads and writes the messages and errors. Its own handlers could do the rest,
 * too, for every kind of stream, but take twice as long (docs/explanation/path-of-a-request.md).
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

  async function work(
    arrival: Arrival,
    timeout: Timeout,
    signal: AbortSignal,
    observation: Observation | undefined,
  ): Promise<Answer> {
    const { protocol, headers, log, body } = arrival;
    const call = new Call(method, arrival, signal, timeout.timeoutMs);
    beginWith(call.values, observation?.log ?? log, observation);
    let bytes: Uint8Array = nothing;
    try {
      await way.gate(call);
      protocol.requireVersion(headers, arrival.isAlias);
      refuseIf(call.compressions.error ?? timeout.error);
      bytes = await readBody(call, body);
      const request = read(bytes, call.isJson);
      const response = await answering(call, async () => {
        await way.check(call, request);
        const answered = await handler(request, call);
        if (observation !== undefined) observation.rows = rowsIn(answered);
        return write(answered, call.isJson);
      });
      return await protocol.success(call, response);
    } catch (thrown) {
      const error = thrown instanceof ConnectError ? thrown : new ConnectError("internal error", Code.Internal);
      const mistake = malformed(error, method.input, bytes);
      if (mistake !== undefined) return protocol.refusal(mistake, headers["content-type"]);
      return await protocol.failure(call, error, jsonOptions);
    } finally {
      share.leave(call.values);
    }
  }

  return {
    method,
    answer(arrival) {
      const timeout = arrival.protocol.timeout(arrival.headers, limits.maximumTimeoutMs);
      const inTime = (observation?: Observation) =>
        withinDeadline(arrival, timeout, limits, (signal) => work(arrival, timeout, signal, observation));
      if (observer === undefined) return inTime();
      return observed(observer, `${method.parent.typeName}/${method.name}`, arrival, inTime);
    },
  };
}

const nothing = new Uint8Array();

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
