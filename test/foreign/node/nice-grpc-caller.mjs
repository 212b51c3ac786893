// Calls AuthorizationService with @zitadel/node, which is made with nice-grpc: node nice-grpc-caller.mjs URL

import { ErrorInfoSchema } from "@authorization-service/client";
import { findTrailerError } from "@connectrpc/connect/protocol-grpc";
import { AuthorizationServiceDefinition } from "@zitadel/node/dist/api/generated/zitadel/authorization/v2/authorization_service.js";
import { ClientError, createChannel, createClient, Metadata, Status } from "nice-grpc";
import { answerCalls } from "./calls.mjs";

const [url = ""] = process.argv.slice(2);
const client = createClient(AuthorizationServiceDefinition, createChannel(url));

answerCalls(async ({ rpc, request, headers: sent }, signal) => {
  const name = `${rpc[0].toLowerCase()}${rpc.slice(1)}`;
  const { requestType, responseType } = AuthorizationServiceDefinition.methods[name];
  const headers = {};
  let trailer = new Headers();
  const keep = (metadata) => {
    const texts = [...metadata].flatMap(([key, values]) => (key.endsWith("-bin") ? [] : [[key, String(values[0])]]));
    Object.assign(headers, Object.fromEntries(texts));
  };
  const options = {
    metadata: Metadata(sent),
    signal,
    onHeader: keep,
    onTrailer: (metadata) => {
      keep(metadata);
      const status = metadata.get("grpc-status-details-bin");
      // nice-grpc leaves reading the details to others.
      if (status) trailer = new Headers({ "grpc-status-details-bin": Buffer.from(status).toString("base64") });
    },
  };
  try {
    const response = await client[name](requestType.fromJSON(request), options);
    return { code: "ok", headers, response: responseType.toJSON(response) };
  } catch (error) {
    if (signal.aborted) return { code: "canceled", headers };
    if (!(error instanceof ClientError)) throw error;
    trailer.set("grpc-status", String(error.code));
    const found = findTrailerError(trailer);
    const [info] = found?.findDetails(ErrorInfoSchema) ?? [];
    return {
      code: Status[error.code],
      message: error.details,
      details: found?.details.map(({ type }) => type),
      ...(info === undefined ? {} : { reason: info.reason, metadata: info.metadata }),
      headers,
    };
  }
});
