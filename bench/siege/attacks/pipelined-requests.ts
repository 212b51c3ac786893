import { request } from "../../../test/support/raw-http.ts";
import type { Attack } from "../attack.ts";
import { keepOpen, writeEvery } from "../connections.ts";

/** The server keeps them with each request. */
const headers = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`x-${index}`, "x"]));
const one = request("GET /openapi.json HTTP/1.1", { host: "127.0.0.1", ...headers });

export const pipelinedRequests: Attack = {
  what: "800 HTTP/1.1 connections send 200 `GET /openapi.json` with 20 short headers at once, and never read",
  begin({ port }) {
    const all = one.repeat(200);
    const use = (socket: Parameters<typeof writeEvery>[1]) => {
      socket.write(all);
      writeEvery(5_000, socket, () => one);
    };
    keepOpen(800, port, use, "never reads");
  },
};
