import type { Socket } from "node:net";
import { ignoreError } from "./hang-up.ts";

/** What every client of HTTP/2 sends first (RFC 9113, section 3.4). */
const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

type Look = {
  /** The connections whose protocol is not known yet. */
  readonly unknown: Set<Socket>;
  readonly pass: (socket: Socket, speaksHttp2: boolean) => void;
  /** How long that may take, in milliseconds. */
  readonly ms: number;
  readonly tooLate: (socket: Socket) => void;
};

/**
 * Reads from a connection until it is clear whether it begins with the preface of HTTP/2, puts everything back, and
 * passes the connection on. Everything else is HTTP/1.1, even half a preface.
 */
export function look(socket: Socket, { unknown, pass, ms, tooLate }: Look): void {
  let seen: Buffer = Buffer.alloc(0);
  const read = () => {
    const chunk: Buffer | null = socket.read();
    if (chunk !== null) seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk]);
    const compared = Math.min(seen.length, preface.length);
    const isLikeIt = seen.compare(preface, 0, compared, 0, compared) === 0;
    // There is nothing to read only if the client has ended the connection.
    if (isLikeIt && compared < preface.length && chunk !== null) return;
    stop();
    if (seen.length > 0) socket.unshift(seen);
    pass(socket, isLikeIt && compared === preface.length);
  };
  const stop = () => {
    unknown.delete(socket);
    clearTimeout(timer);
    socket.off("readable", read).off("close", stop);
  };
  const timer = setTimeout(() => {
    stop();
    tooLate(socket);
  }, ms);
  unknown.add(socket);
  socket.on("readable", read).on("close", stop).on("error", ignoreError);
}
