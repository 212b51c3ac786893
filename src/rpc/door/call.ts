import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { DescMethodUnary } from "@bufbuild/protobuf";
import { type ConnectError, type ContextValues, createContextValues, type HandlerContext } from "@connectrpc/connect";
import type { Log } from "./observer.ts";

/** A request of an RPC as the server hands it over. */
export type Arrival = {
  /** Names are in lower case, and a header that came twice is one. */
  readonly headers: IncomingHttpHeaders;
  /** From where the body is read. */
  readonly body: IncomingMessage;
  /** Its lines carry the id of the request. */
  readonly log: Log;
  /** Calls back when the client has gone before it was answered. */
  onGone(listener: () => void): void;
};

/** What a request is answered. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | Uint8Array;
  /** What the answer tells, if it is an error. */
  readonly error?: ConnectError;
};

/** An RPC as the server calls it. */
export type Rpc = {
  readonly method: DescMethodUnary;
  /** Never rejects. */
  answer(arrival: Arrival): Promise<Answer>;
};

/**
 * A request on its way through an RPC, as the gate and the handler see it. What few of them look at is made when they
 * do.
 */
export class Call implements HandlerContext {
  readonly values: ContextValues = createContextValues();
  readonly requestMethod = "POST";
  readonly protocolName = "connect";
  readonly method: DescMethodUnary;
  readonly headers: IncomingHttpHeaders;
  readonly signal: AbortSignal;
  /** Undefined: nothing was added to what every answer has. */
  added: { readonly header: Headers; readonly trailer: Headers } | undefined;
  readonly #end: number | undefined;

  /** @param timeoutMs undefined when the client does not say how long it waits */
  constructor(
    method: DescMethodUnary,
    headers: IncomingHttpHeaders,
    signal: AbortSignal,
    timeoutMs: number | undefined,
  ) {
    this.method = method;
    this.headers = headers;
    this.signal = signal;
    this.#end = timeoutMs === undefined ? undefined : Date.now() + timeoutMs;
  }

  get service() {
    return this.method.parent;
  }

  get url() {
    return `http://${this.headers.host}/${this.service.typeName}/${this.method.name}`;
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

function webHeaders(headers: IncomingHttpHeaders): Headers {
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    [value ?? []].flat().map((one) => [name, one]),
  );
  return new Headers(pairs);
}
