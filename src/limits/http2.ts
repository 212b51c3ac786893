import type { ServerOptions } from "node:http2";

/**
 * What one HTTP/2 connection may take. Node and nghttp2 enforce this: they reset the stream, or end the connection.
 * docs/reference/limits.md lists the limits.
 */
export const http2Limits: ServerOptions = {
  settings: {
    maxConcurrentStreams: 100,
    // As for HTTP/1.1. Counted as RFC 9113 says: names and values, and 32 bytes for each header.
    maxHeaderListSize: 16_384,
    enablePush: false,
  },
  maxHeaderListPairs: 128,
  // In megabytes. Answers that wait to be sent count, too: with Node's default of 10, a client that asks for several large
  // pages at once would be cut off.
  maxSessionMemory: 256,
  // A client that cancels more streams than this at once, and more than this in a second after that, is cut off.
  streamResetBurst: 200,
  streamResetRate: 33,
  maxSessionInvalidFrames: 100,
  maxSessionRejectedStreams: 100,
  maxOutstandingPings: 10,
  maxSettings: 32,
};
