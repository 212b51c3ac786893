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

/** A call that is answered: of which of the suite's methods, and how it came. */
type Call = { readonly messages: Messages; readonly method: DescMethod | undefined; readonly context: HandlerContext };

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
export function conformanceService(messages: Messages) {
  const service = messages.registry.getService(`${suite}.ConformanceService`);
  if (service === undefined) throw new Error("the suite has no service");
  const by =
    <Requests, Answer>(name: string, answer: (call: Call, requests: Requests) => Answer) =>
    (requests: Requests, context: HandlerContext) =>
      answer({ messages, method: service.method[name], context }, requests);
  const once = (call: Call, request: Asked<OneAnswer>) => answerOnce(call, [request]);
  const implementation = {
    unary: by("unary", once),
    idempotentUnary: by("idempotentUnary", once),
    clientStream: by("clientStream", async (call, requests: AsyncIterable<Asked<OneAnswer>>) =>
      answerOnce(call, await Array.fromAsync(requests)),
    ),
    serverStream: by("serverStream", answerMany),
    bidiStream: by("bidiStream", answerInTurns),
  };
  // The types of a service that is known only now are those of no method.
  return { service, implementation: implementation as never };
}

async function answerOnce(call: Call, requests: readonly Asked<OneAnswer>[]) {
  const definition = requests[0]?.responseDefinition;
  setHeaders(definition, call.context);
  const arrived = () => whatArrived(call, requests);
  const { response } = definition ?? {};
  if (response?.case === "error") throw toError(call, response.value, arrived());
  await sleep(definition?.responseDelayMs);
  return { payload: { requestInfo: arrived(), data: response?.value } };
}

async function* answerMany(call: Call, request: Asked<ManyAnswers>) {
  const definition = request.responseDefinition;
  setHeaders(definition, call.context);
  const arrived = () => whatArrived(call, [request]);
  const { responseData = [], responseDelayMs, error } = definition ?? {};
  for (const [index, data] of responseData.entries()) {
    await sleep(responseDelayMs);
    yield { payload: { ...(index === 0 ? { requestInfo: arrived() } : {}), data } };
  }
  if (error !== undefined) throw toError(call, error, responseData.length === 0 ? arrived() : undefined);
}

/** In full duplex each request gets an answer at once; otherwise all answers come after the last request. */
async function* answerInTurns(call: Call, requests: AsyncIterable<AskedInTurns>) {
  let first: AskedInTurns | undefined;
  let asked: AskedInTurns[] = [];
  let sent = 0;
  const answer = async () => {
    const { responseData = [], responseDelayMs } = first?.responseDefinition ?? {};
    await sleep(responseDelayMs);
    const requestInfo = sent === 0 ? whatArrived(call, asked) : asked.length > 0 && requestsAlone(call, asked);
    asked = [];
    const data = responseData[sent];
    sent += 1;
    return { payload: { ...(requestInfo && { requestInfo }), data } };
  };
  const left = () => (first?.responseDefinition?.responseData.length ?? 0) - sent;
  for await (const request of requests) {
    if (first === undefined) setHeaders(request.responseDefinition, call.context);
    first ??= request;
    asked.push(request);
    if (!first.fullDuplex) continue;
    if (left() <= 0) break;
    yield await answer();
  }
  while (left() > 0) yield await answer();
  const error = first?.responseDefinition?.error;
  if (error !== undefined) throw toError(call, error, sent === 0 ? whatArrived(call, asked) : undefined);
}

function setHeaders(definition: Answers | undefined, { responseHeader, responseTrailer }: HandlerContext): void {
  for (const { name, value } of definition?.responseHeaders ?? [])
    for (const one of value) responseHeader.append(name, one);
  for (const { name, value } of definition?.responseTrailers ?? [])
    for (const one of value) responseTrailer.append(name, one);
}

function whatArrived(call: Call, requests: readonly Message[]): Message {
  const { requestHeader, timeoutMs } = call.context;
  const timeout = timeoutMs();
  return requestsAlone(call, requests, {
    requestHeaders: [...requestHeader].map(([name, value]) => ({ name, value: [value] })),
    ...(timeout === undefined ? {} : { timeoutMs: BigInt(Math.round(timeout)) }),
  });
}

function requestsAlone({ messages, method }: Call, requests: readonly Message[], more: object = {}): Message {
  if (method === undefined) throw new Error("the suite lacks a method");
  const packed = requests.map((request) => anyPack(method.input, request));
  return create(messages.message("ConformancePayload.RequestInfo"), { requests: packed, ...more });
}

function toError({ messages }: Call, { code, message, details }: Failure, arrived: Message | undefined): ConnectError {
  const given = details.map((detail) => anyUnpack(detail, messages.registry));
  const all = [...given, arrived].filter((one) => one !== undefined);
  return new ConnectError(
    message ?? "",
    code,
    undefined,
    all.map((value) => ({ desc: messages.message(value.$typeName.slice(suite.length + 1)), value })),
  );
}
