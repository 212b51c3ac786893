import { block, get } from "../../../test/support/http2-frames.ts";
import type { Attack } from "../attack.ts";
import { keepStreams } from "../streams.ts";

/** The server keeps them with each request. */
const more = block(Array.from({ length: 100 }, (_, index) => [`x-${index}`, "x"] as const));

export const unreadRefusals: Attack = {
  what: "600 HTTP/2 connections ask for an unknown path on 100 streams each, with 100 short headers and a window of 0",
  begin({ port }) {
    const headers = Buffer.concat([get("/unknown"), more]);
    keepStreams(port, { connections: 600, streams: 100, headers, window: 0 });
  },
};
