import { block, get } from "../../../test/support/http2-frames.ts";
import type { Attack } from "../attack.ts";
import { keepStreams } from "../streams.ts";

/** The server keeps them with each request. */
const more = block(Array.from({ length: 100 }, (_, index) => [`x-${index}`, "x"] as const));

const headers = Buffer.concat([get("/unknown"), more]);

export const unreadRefusals: Attack = {
  what: "600 HTTP/2 connections ask for an unknown path on 100 streams each, with 100 short headers and a window of 0",
  begin({ port }) {
    keepStreams(port, { connections: 600, streams: 100, headers, window: 0 });
  },
};

export const unreadAndGone: Attack = {
  what: "80 HTTP/2 connections do the same, disconnect after 1.2 s, and connect again",
  begin({ port }) {
    keepStreams(port, { connections: 80, streams: 100, headers, window: 0, staysMs: 1_200 });
  },
};
