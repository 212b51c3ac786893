import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { DescMethodUnary, JsonWriteOptions } from "@bufbuild/protobuf";
import { type ConnectError, type ContextValues, createContextValues, type HandlerContext } from "@connectrpc/connect";
import { type Compressions, isJson } from "./encoding.ts";
import type { Log, ProtocolName } from "./observer.ts";

/** A request as the server passes it to an RPC. */
export type Arrival = {
  readonly protocol: Protocol;
  /** Whether the request names the service by another name than its own. */
  readonly isAlias: boolean;
  /** Names are in lower case. A header that was sent twice appears once. */
  readonly headers: IncomingHttpHeaders;
  /** The stream to read the body from. */
  readonly body: IncomingMessage;
  /** The log, whose lines carry the id of the request. */
  readonly log: Log;
  /** Calls the listener if the client disconnects before it is answered. */
  onGone(listener: () => void): void;
  /** How many bytes of headers and trailers the client accepts; undefined if it didn't say. */
  acceptedHeaderBytes(): number | undefined;
};

/** The answer to a request. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | Uint8Array;
  /** What follows the body; undefined for nothing. Only HTTP/2 can have it here. */
  readonly trailers?: Readonly<Record<string, string>>;
  /** The error in the answer, if it is one. */
  readonly error?: ConnectError;
};

/** How a wire protocol writes what all of them say: Connect, gRPC or gRPC-Web. */
export type Protocol = {
  readonly name: ProtocolName;
  /** Its name in the contexts of handlers. */
  readonly contextName: string;
  /** How messages are framed in bodies; undefined if a body is a message. */
  readonly frames: Frames | undefined;
  /** The time that the client gives a request, in milliseconds, and what is wrong with it. */
  timeout(headers: IncomingHttpHeaders, maximumMs: number): Timeout;
  compressions(headers: IncomingHttpHeaders): Compressions;
  /** Throws `invalid_argument` unless the version of the protocol is the one that is served. */
  requireVersion(headers: IncomingHttpHeaders, mayBeAbsent: boolean): void;
  /** The answer with a message. JSON is a string. */
  success(call: Call, body: string | Uint8Array): Answer | Promise<Answer>;
  /** The answer with an error, with the headers that were added to the call. */
  failure(call: Call, error: ConnectError, jsonOptions: Partial<JsonWriteOptions>): Answer | Promise<Answer>;
  /** The answer to a request that reaches no handler, with an HTTP status where the protocol has a choice. */
  refusal(error: ConnectError, contentType: string | undefined, httpStatus?: number): Answer;
};

export type Frames = {
  /** Whether a frame with trailers may be in the body of a request. */
  readonly mayHaveTrailers: boolean;
};

export type Timeout = { readonly timeoutMs?: number; readonly error?: ConnectError | undefined };

/** An RPC, as the server calls it. */
export type Rpc = {
  readonly method: DescMethodUnary;
  /** Never rejects. */
  answer(arrival: Arrival): Promise<Answer>;
};

/** A request on its way through an RPC, as the gate and the handler see it. Rarely used parts are created on demand. */
export class Call implements HandlerContext {
  readonly values: ContextValues = createContextValues();
  readonly requestMethod = "POST";
  readonly method: DescMethodUnary;
  readonly arrival: Arrival;
  readonly signal: AbortSignal;
  readonly compressions: Compressions;
  /** Whether the request and its answer are in JSON. Otherwise both are in the binary format. */
  readonly isJson: boolean;
  /** Undefined if nothing was added to the headers of every answer. */
  added: { readonly header: Headers; readonly trailer: Headers } | undefined;
  readonly #end: number | undefined;

  /** @param timeoutMs undefined if the client didn't send a timeout */
  constructor(method: DescMethodUnary, arrival: Arrival, signal: AbortSignal, timeoutMs: number | undefined) {
    this.method = method;
    this.arrival = arrival;
    this.signal = signal;
    this.compressions = arrival.protocol.compressions(arrival.headers);
    this.isJson = isJson(arrival.headers["content-type"]);
    this.#end = timeoutMs === undefined ? undefined : Date.now() + timeoutMs;
  }

  get headers() {
    return this.arrival.headers;
  }

  get protocolName() {
    return this.arrival.protocol.contextName;
  }

  get service() {
    return this.method.parent;
  }

  get url() {
    const host = this.headers[":authority"] ?? this.headers.host;
    return `http://${host}/${this.service.typeName}/${this.method.name}`;
  }

  get timeoutMs() {
    return () => (this.#end === undefined ? undefined : this.#end - Date.now());
  }

  get requestHeader() {
    return webHeaders(this.headers);
  }

  get responseHeader() {
    return this.#add().header;
  }

  get responseTrailer() {
    return this.#add().trailer;
  }

  #add() {
    this.added ??= { header: new Headers(), trailer: new Headers() };
    return this.added;
  }
}

/** Without HTTP/2's own fields, such as `:path`. */
function webHeaders(headers: IncomingHttpHeaders): Headers {
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    name.startsWith(":") ? [] : [value ?? []].flat().map((one) => [name, one]),
  );
  return new Headers(pairs);
}
