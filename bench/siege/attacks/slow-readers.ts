import type { Attack } from "../attack.ts";
import { keepOpen } from "../connections.ts";
import { call, lists } from "../requests.ts";

export const slowReaders: Attack = {
  what: "an organization's owner asks for 20 pages of 1,000 on each of 200 connections, and reads at most 64 KiB a second",
  begin({ port, tokens }) {
    const pages = call(lists, tokens.organization, { pagination: { limit: 1_000 } }).repeat(20);
    keepOpen(200, port, (socket) => {
      socket.write(pages);
      socket.on("data", () => {
        socket.pause();
        setTimeout(() => socket.resume(), 1_000);
      });
    });
  },
};
