import {
  create,
  createFileRegistry,
  type DescMethodUnary,
  type FileRegistry,
  fromBinary,
  type MessageInitShape,
} from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { describe, expect, test } from "vitest";
import {
  ServerReflection,
  type ServerReflectionRequestSchema,
  type ServerReflectionResponse,
} from "../../gen/grpc/reflection/v1/reflection_pb.ts";
import { clientOf, codeOf, grpc, overHttp2, renamed } from "../support/protocols.ts";
import { serverInTest, serveTests, startTestServer } from "../support/server.ts";
import { services } from "../support/services.ts";

/** The other name of a service that a server has unless it is told otherwise. */
const alias = "zitadel.authorization.v2.AuthorizationService";

const server = await serveTests({ smallWorld: true });

type Question = NonNullable<MessageInitShape<typeof ServerReflectionRequestSchema>["messageRequest"]>;

/** Under its former name, as older tools ask. */
const former = renamed(ServerReflection, "grpc.reflection.v1alpha.ServerReflection");

/** Asks on one stream. */
async function ask(questions: Question[], service = ServerReflection, way = grpc) {
  const client = clientOf(service, way, server.url, undefined);
  async function* requests() {
    for (const messageRequest of questions) yield { host: "here", messageRequest };
  }
  return Array.fromAsync(client.serverReflectionInfo(requests()));
}

function filesIn({ messageResponse: { case: kind, value } }: ServerReflectionResponse): FileDescriptorProto[] {
  if (kind !== "fileDescriptorResponse") throw new Error(`it answered ${kind}`);
  return value.fileDescriptorProto.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes));
}

const symbol = (value: string): Question => ({ case: "fileContainingSymbol", value });
const file = (value: string): Question => ({ case: "fileByFilename", value });
const list: Question = { case: "listServices", value: "" };

/** Everything a tool learns about a symbol. Throws if a file lacks one that it needs. */
async function registryOf(name: string): Promise<FileRegistry> {
  const [answer] = await ask([symbol(name)]);
  if (answer === undefined) throw new Error("there is no answer");
  const files = filesIn(answer);
  const inOrder = new Set<FileDescriptorProto>();
  const add = (one: FileDescriptorProto | undefined) => {
    for (const name of one?.dependency ?? []) add(files.find((each) => each.name === name));
    if (one !== undefined) inOrder.add(one);
  };
  add(files[0]);
  return createFileRegistry(create(FileDescriptorSetSchema, { file: [...inOrder] }));
}

describe.each([
  ["v1", ServerReflection],
  ["v1alpha", former],
] as const)("Reflection %s", (_version, service) => {
  test.each(overHttp2)("lists every service, by $name", async (way) => {
    const [answer] = await ask([list], service, way);
    expect(answer?.validHost).toBe("here");
    const listed = answer?.messageResponse;
    expect(listed?.case === "listServicesResponse" && listed.value.service.map(({ name }) => name)).toEqual(
      [
        ...services.map(({ typeName }) => typeName),
        alias,
        "grpc.health.v1.Health",
        "grpc.reflection.v1.ServerReflection",
        "grpc.reflection.v1alpha.ServerReflection",
      ].toSorted(),
    );
  });
});

test.each([
  ...services.map(({ typeName }) => [typeName, typeName] as const),
  [alias, "service.authorization.v2.AuthorizationService"] as const,
])("A tool that knows nothing can call %s", async (name, own) => {
  const registry = await registryOf(name);
  const described = registry.getService(name);
  const real = services.find(({ typeName }) => typeName === own);
  expect(described?.methods.map((method) => method.name)).toEqual(real?.methods.map((method) => method.name));
  for (const method of (described?.methods ?? []) as DescMethodUnary[]) {
    expect(method.input.fields.map(({ number }) => number)).toEqual(
      real?.methods.find((each) => each.name === method.name)?.input.fields.map(({ number }) => number),
    );
  }
});

test.each<[string, Question]>([
  ["symbol", symbol("nope.Nope")],
  ["file", file("nope.proto")],
])("An unknown %s is said to be unknown, and the stream goes on", async (what, question) => {
  const [answer, next] = await ask([question, list]);
  expect(answer?.messageResponse).toMatchObject({
    case: "errorResponse",
    value: { errorCode: Code.NotFound, errorMessage: expect.stringContaining(what) },
  });
  expect(next?.messageResponse.case).toBe("listServicesResponse");
});

test("Extensions can't be looked up, and the stream goes on", async () => {
  const [answer, next] = await ask([
    { case: "allExtensionNumbersOfType", value: "google.protobuf.FieldOptions" },
    list,
  ]);
  expect(answer?.messageResponse).toMatchObject({ value: { errorCode: Code.Unimplemented } });
  expect(next?.messageResponse.case).toBe("listServicesResponse");
});

test("A request that asks for nothing, and one that is too large, are refused", async () => {
  expect(await codeOf(ask([{ case: undefined }]))).toBe("InvalidArgument");
  expect(await codeOf(ask([symbol("x".repeat(20_000))]))).toBe("ResourceExhausted");
});

test("A stream may ask for more in all than one request may be", async () => {
  expect(await ask(Array(40).fill(symbol("x".repeat(1_000))))).toHaveLength(40);
});

/** A stream that asks once, and then keeps silent until `over`. */
function silent(over: AbortSignal, { url } = server) {
  const client = clientOf(ServerReflection, grpc, url, undefined);
  async function* requests() {
    yield { messageRequest: list };
    await new Promise((_, reject) => over.addEventListener("abort", reject));
  }
  return client.serverReflectionInfo(requests(), { signal: over })[Symbol.asyncIterator]();
}

test("50 streams of one address may be open at once, the next is refused, and there is room again when one has ended", async () => {
  const open = Array.from({ length: 50 }, () => {
    const over = new AbortController();
    return { stream: silent(over.signal), over };
  });
  await Promise.all(open.map(({ stream }) => stream.next()));
  expect(await codeOf(ask([list]))).toBe("Unavailable");
  open[0]?.over.abort();
  await expect.poll(() => codeOf(ask([list]))).toBe("ok");
  for (const { over } of open) over.abort();
});

test("A stream that is open when the server stops ends, and holds nothing up", async () => {
  const stopped = await startTestServer({ database: server.database });
  const stream = silent(new AbortController().signal, stopped);
  await stream.next();
  const began = performance.now();
  const stop = stopped.stop({ gently: true });
  expect(await codeOf(stream.next())).toBe("Unavailable");
  await stop;
  // The grace period of this server is a minute.
  expect(performance.now() - began).toBeLessThan(30_000);
});

test("It can be switched off", async () => {
  const without = await serverInTest({ database: server.database, standardServices: { reflection: false } });
  const over = new AbortController();
  expect(await codeOf(silent(over.signal, without).next())).toBe("Unimplemented");
  over.abort();
});
