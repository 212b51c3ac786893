import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { DescMethodUnary } from "@bufbuild/protobuf";
import { type ConnectError, type ContextValues, createContextValues, type HandlerContext } from "@connectrpc/connect";
import type { Log } from "./observer.ts";

/** A request as the server passes it to an RPC. */
export type Arrival = {
  /** Names are in lower case. A header that was sent twice appears once. */
  readonly headers: IncomingHttpHeaders;
  /** The stream to read the body from. */
  readonly body: IncomingMessage;
  /** The log, whose lines carry the id of the request. */
  readonly log: Log;
  /** Calls the listener if the client disconnects before it is answered. */
  onGone(listener: () => void): void;
};

/** The answer to a request. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | Uint8Array;
  /** The error in the answer, if it is one. */
  readonly error?: ConnectError;
};

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
  readonly protocolName = "connect";
  readonly method: DescMethodUnary;
  readonly headers: IncomingHttpHeaders;
  readonly signal: AbortSignal;
  /** Undefined if nothing was added to the headers of every answer. */
  added: { readonly header: Headers; readonly trailer: Headers } | undefined;
  readonly #end: number | undefined;

  /** @param timeoutMs undefined if the client didn't send a timeout */
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
