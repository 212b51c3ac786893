import { connect } from "node:http2";
import { callHeaders } from "../../../test/support/call-headers.ts";
import type { Attack } from "../attack.ts";
import { keepOpen, pauseMs } from "../connections.ts";
import { lists } from "../requests.ts";

/** Holds 1,200 answers. What is refused for want of room is asked again, because it holds no place. */
function holdAnswers(port: number, token: string): void {
  keepOpen(12, port, (socket) => {
    const settings = { initialWindowSize: 0 };
    const session = connect(`http://127.0.0.1:${port}`, { createConnection: () => socket, settings });
    session.on("error", () => {});
    const ask = () => {
      if (session.closed || session.destroyed) return;
      const stream = session.request({ ":method": "POST", ":path": lists, ...callHeaders(token) });
      stream.on("error", () => {}).once("close", () => setTimeout(ask, pauseMs));
      stream.once("response", ({ ":status": status }) => status === 503 && stream.close());
      stream.end("{}");
    };
    for (let count = 0; count < 100; count += 1) ask();
  });
}

export const unreadRefusedCallers: Attack = {
  what: "12 HTTP/2 connections hold 100 answers of 401 each, with a window of 0",
  begin: ({ port }) => holdAnswers(port, "nothing"),
};

export const unreadOwnLists: Attack = {
  what: "the same by a plain user, with answers of 200",
  begin: ({ port, tokens }) => holdAnswers(port, tokens.user),
};
