import type { Attack } from "../attack.ts";
import { keepOpen, writeEvery } from "../connections.ts";
import { headOf, lists } from "../requests.ts";

const headers = "POST / HTTP/1.1\r\nhost: 127.0.0.1\r\nx-endless: ";

export const slowWriters: Attack = {
  what: "1,000 connections send a byte a second: half of them headers, half a plain user's body",
  begin({ port, tokens }) {
    const body = headOf(lists, tokens.user, 1_000_000);
    for (const head of [headers, body]) {
      keepOpen(500, port, (socket) => {
        socket.write(head);
        writeEvery(1_000, socket, () => " ");
      });
    }
  },
};
