import type { Attack } from "../attack.ts";
import { keepOpen, writeEvery } from "../connections.ts";

const request = "GET /openapi.json HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n";

export const pipelinedRequests: Attack = {
  what: "800 HTTP/1.1 connections send 200 `GET /openapi.json` at once, and never read",
  begin({ port }) {
    const all = request.repeat(200);
    keepOpen(
      800,
      port,
      (socket) => {
        socket.write(all);
        writeEvery(5_000, socket, () => request);
      },
      "never reads",
    );
  },
};
