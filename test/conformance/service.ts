import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import {
  create,
  createFileRegistry,
  type DescMessage,
  type DescMethod,
  type FileRegistry,
  fromBinary,
  type Message,
} from "@bufbuild/protobuf";
import { type Any, anyPack, anyUnpack, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { type Code, ConnectError, type HandlerContext } from "@connectrpc/connect";

const suite = "connectrpc.conformance.v1";

/** The messages of the suite. They are known only when it runs, so the few that are used here have types of their own. */
export type Messages = { readonly registry: FileRegistry; message(name: string): DescMessage };

type Header = { readonly name: string; readonly value: readonly string[] };
type Failure = { readonly code: Code; readonly message?: string; readonly details: readonly Any[] };
type Answers = {
  readonly responseHeaders: readonly Header[];
  readonly responseTrailers: readonly Header[];
  readonly responseDelayMs: number;
};
type Asked<Definition> = Message & { readonly responseDefinition?: Answers & Definition };
type OneAnswer = { readonly response: { case: "error"; value: Failure } | { case: "responseData"; value: Uint8Array } };
type AskedInTurns = Asked<ManyAnswers> & { readonly fullDuplex: boolean };
type ManyAnswers = { readonly responseData: readonly Uint8Array[]; readonly error?: Failure };

/** @param file a set of file descriptors */
export function messagesOf(file: string): Messages {
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(file)));
  return {
    registry,
    message(name) {
      const found = registry.getMessage(`${suite}.${name}`);
      if (found === undefined) throw new Error(`the suite has no message ${name}`);
      return found;
    },
  };
}

/** ConformanceService: each request says how it wants to be answered, and each answer tells what has arrived. */
export function conformanceService({ registry, message }: Messages) {
  const service = registry.getService(`${suite}.ConformanceService`);
  if (service === undefined) throw new Error("the suite has no service");
  const methods = service.method as Record<string, DescMethod>;

  async function answerOnce(rpc: string, requests: readonly Asked<OneAnswer>[], context: HandlerContext) {
    const definition = requests[0]?.responseDefinition;
    setHeaders(definition, context);
    const arrived = () => whatArrived(rpc, requests, context);
    const { response } = definition ?? {};
    if (response?.case === "error") throw toError(response.value, arrived());
    await sleep(definition?.responseDelayMs);
    return { payload: { requestInfo: arrived(), data: response?.value } };
  }

  async function* answerMany(request: Asked<ManyAnswers>, context: HandlerContext) {
    const definition = request.responseDefinition;
    setHeaders(definition, context);
    const arrived = () => whatArrived("serverStream", [request], context);
    const { responseData = [], responseDelayMs, error } = definition ?? {};
    for (const [index, data] of responseData.entries()) {
      await sleep(responseDelayMs);
      yield { payload: { ...(index === 0 ? { requestInfo: arrived() } : {}), data } };
    }
    if (error !== undefined) throw toError(error, responseData.length === 0 ? arrived() : undefined);
  }

  /** In full duplex each request gets an answer at once; otherwise all answers come after the last request. */
  async function* answerInTurns(requests: AsyncIterable<AskedInTurns>, context: HandlerContext) {
    let first: AskedInTurns | undefined;
    let asked: AskedInTurns[] = [];
    let sent = 0;
    const arrived = () => whatArrived("bidiStream", asked, context);
    const answer = async () => {
      const { responseData = [], responseDelayMs } = first?.responseDefinition ?? {};
      await sleep(responseDelayMs);
      const requestInfo = sent === 0 ? arrived() : asked.length > 0 && requestsAlone("bidiStream", asked);
      asked = [];
      const data = responseData[sent];
      sent += 1;
      return { payload: { ...(requestInfo && { requestInfo }), data } };
    };
    const left = () => (first?.responseDefinition?.responseData.length ?? 0) - sent;
    for await (const request of requests) {
      if (first === undefined) setHeaders(request.responseDefinition, context);
      first ??= request;
      asked.push(request);
      if (!first.fullDuplex) continue;
      if (left() <= 0) break;
      yield await answer();
    }
    while (left() > 0) yield await answer();
    const error = first?.responseDefinition?.error;
    if (error !== undefined) throw toError(error, sent === 0 ? arrived() : undefined);
  }

  function whatArrived(
    rpc: string,
    requests: readonly Message[],
    { requestHeader, timeoutMs }: HandlerContext,
  ): Message {
    const timeout = timeoutMs();
    return requestsAlone(rpc, requests, {
      requestHeaders: [...requestHeader].map(([name, value]) => ({ name, value: [value] })),
      ...(timeout === undefined ? {} : { timeoutMs: BigInt(Math.round(timeout)) }),
    });
  }

  function requestsAlone(rpc: string, requests: readonly Message[], more: object = {}): Message {
    const method = methods[rpc];
    if (method === undefined) throw new Error("the suite lacks a method");
    const packed = requests.map((request) => anyPack(method.input, request));
    return create(message("ConformancePayload.RequestInfo"), { requests: packed, ...more });
  }

  function toError({ code, message: text, details }: Failure, arrived: Message | undefined): ConnectError {
    const given = details.map((detail) => anyUnpack(detail, registry));
    const all = [...given, arrived].filter((one) => one !== undefined);
    const described = all.map((value) => ({ desc: message(value.$typeName.slice(suite.length + 1)), value }));
    return new ConnectError(text ?? "", code, undefined, described);
  }

  const implementation = {
    unary: (request: Asked<OneAnswer>, context: HandlerContext) => answerOnce("unary", [request], context),
    idempotentUnary: (request: Asked<OneAnswer>, context: HandlerContext) =>
      answerOnce("idempotentUnary", [request], context),
    async clientStream(requests: AsyncIterable<Asked<OneAnswer>>, context: HandlerContext) {
      return answerOnce("clientStream", await Array.fromAsync(requests), context);
    },
    serverStream: answerMany,
    bidiStream: answerInTurns,
  };
  // The types of a service that is known only now are those of no method.
  return { service, implementation: implementation as never };
}

function setHeaders(definition: Answers | undefined, { responseHeader, responseTrailer }: HandlerContext): void {
  for (const { name, value } of definition?.responseHeaders ?? [])
    for (const one of value) responseHeader.append(name, one);
  for (const { name, value } of definition?.responseTrailers ?? [])
    for (const one of value) responseTrailer.append(name, one);
}
