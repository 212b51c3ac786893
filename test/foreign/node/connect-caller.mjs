// Calls AuthorizationService with clients that are made with Connect's library:
//
//   node connect-caller.mjs URL own|zitadel connect|grpc-web|grpc SERVICE

import { AuthorizationService, ErrorInfoSchema } from "@authorization-service/client";
import { create, createFileRegistry, fromJson, toJson } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { createClientFor } from "@zitadel/client";
import { createServerTransport } from "@zitadel/client/node";
import { createClientTransport } from "@zitadel/client/web";
import { answerCalls } from "./calls.mjs";

const [baseUrl = "", maker = "", protocol = "", name = ""] = process.argv.slice(2);
const service = serviceNamed(name);
const createClient = createClientFor(service);
const transports = {
  own: {
    connect: () => createConnectTransport({ baseUrl, httpVersion: "1.1" }),
    "grpc-web": () => createGrpcWebTransport({ baseUrl, httpVersion: "1.1" }),
    grpc: () => createGrpcTransport({ baseUrl }),
  },
  zitadel: {
    "grpc-web": (token) => createClientTransport(token, { baseUrl }),
    grpc: (token) => createServerTransport(token, { baseUrl }),
  },
};
const clients = new Map();

answerCalls(async ({ rpc, request, headers: { authorization, ...others }, timeoutMs }, signal) => {
  const method = service.methods.find((one) => one.name === rpc);
  const headers = {};
  const keep = (more) => Object.assign(headers, Object.fromEntries(more));
  // The other maker's transports have their token.
  const sent = maker === "own" && authorization ? { ...others, authorization } : others;
  const options = { headers: sent, timeoutMs, signal, onHeader: keep, onTrailer: keep };
  try {
    const message = fromJson(method.input, request);
    const response = await clientFor(authorization)[method.localName](message, options);
    return { code: "ok", headers, response: toJson(method.output, response, { alwaysEmitImplicit: true }) };
  } catch (thrown) {
    const error = ConnectError.from(thrown);
    const [info] = error.findDetails(ErrorInfoSchema);
    return {
      code: Code[error.code],
      message: error.rawMessage,
      details: error.details.map(({ type }) => type),
      ...(info === undefined ? {} : { reason: info.reason, metadata: info.metadata }),
      headers: { ...headers, ...Object.fromEntries(error.metadata) },
    };
  }
});

function clientFor(authorization) {
  const key = maker === "own" ? "" : (authorization ?? "");
  if (!clients.has(key)) clients.set(key, createClient(transports[maker][protocol](key.replace("Bearer ", ""))));
  return clients.get(key);
}

/** Our service, which is the other one, too, but for its name. */
function serviceNamed(wanted) {
  const { file, proto, typeName } = AuthorizationService;
  if (wanted === typeName) return AuthorizationService;
  const point = wanted.lastIndexOf(".");
  const renamed = create(FileDescriptorProtoSchema, {
    name: "renamed.proto",
    syntax: "proto3",
    package: wanted.slice(0, point),
    dependency: [file.proto.name],
    service: [{ name: wanted.slice(point + 1), method: proto.method }],
  });
  return createFileRegistry(renamed, () => file).getService(wanted);
}
