import type { Attack } from "../attack.ts";
import { keepOpen } from "../connections.ts";

export const idleConnections: Attack = {
  what: "10,000 connections that ask for `/healthz` once, and stay",
  begin: ({ port }) =>
    keepOpen(10_000, port, (socket) => socket.write("GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")),
};
