// Prints what our own client gets from the feed, a line of JSON each: every message, or the state of each
// assignment of its copy after each one.
//
//   node watch.mjs URL TOKEN connect|grpc-web|grpc REQUEST|copy

import {
  AuthorizationHistoryService,
  AuthorizationService,
  CallerService,
  StateSchema,
  WatchAuthorizationsRequestSchema,
  WatchAuthorizationsResponseSchema,
} from "@authorization-service/client";
import { keepCopy } from "@authorization-service/client/copy";
import { fromJsonString, toJsonString } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";

const [baseUrl = "", token = "", protocol = "", request = ""] = process.argv.slice(2);
const withToken = (next) => (call) => {
  call.header.set("Authorization", `Bearer ${token}`);
  return next(call);
};
const options = { baseUrl, interceptors: [withToken] };
const transport = {
  connect: () => createConnectTransport({ ...options, httpVersion: "1.1" }),
  "grpc-web": () => createGrpcWebTransport({ ...options, httpVersion: "1.1" }),
  grpc: () => createGrpcTransport(options),
}[protocol]();
const history = createClient(AuthorizationHistoryService, transport);

if (request === "copy") {
  const clients = {
    history,
    authorizations: createClient(AuthorizationService, transport),
    caller: createClient(CallerService, transport),
  };
  for await (const copy of keepCopy(clients)) {
    console.log(
      JSON.stringify(
        Object.fromEntries([...copy.values()].map(({ id, state }) => [id, StateSchema.value[state].name])),
      ),
    );
  }
} else {
  const messages = history.watchAuthorizations(fromJsonString(WatchAuthorizationsRequestSchema, request));
  for await (const message of messages) console.log(toJsonString(WatchAuthorizationsResponseSchema, message));
}
