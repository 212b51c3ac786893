import { connect, type Socket } from "node:net";
import { openConnection } from "../overload/connection.ts";

const host = "127.0.0.1";

/** Attackers come from 127.0.0.2 to 127.0.0.9. */
const from = (index: number) => `127.0.0.${2 + (index % 8)}`;

/** A connection of the next attacker in turn. */
export function connectFrom(index: number, port: number): Socket {
  return connect({ host, port, localAddress: from(index), noDelay: true }).on("error", () => {});
}

/** What is refused or closed is tried again after this time, in milliseconds, so that each attack remains what it is. */
export const pauseMs = 1_000;

/** 5,000 connections a second, so that the server's backlog has room for them. */
const opensPerMs = 5;

export type Reading = "reads" | "never reads";

/** Keeps so many connections open, and uses each once it is. A closed one is opened again after a pause. */
export function keepOpen(count: number, port: number, use: (socket: Socket) => void, reading: Reading = "reads"): void {
  const open = (index: number) => {
    const socket = connectFrom(index, port);
    if (reading === "never reads") socket.pause();
    else socket.resume();
    socket.once("connect", () => use(socket)).once("close", () => setTimeout(open, pauseMs, index));
  };
  for (let index = 0; index < count; index += 1) setTimeout(open, index / opensPerMs, index);
}

/** Writes again and again while a connection is open. That is also how an end that never reads notices that it is closed. */
export function writeEvery(ms: number, socket: Socket, bytes: () => Buffer | string): void {
  const writing = setInterval(() => socket.write(bytes()), ms);
  socket.once("close", () => clearInterval(writing));
}

/** Writes the same bytes as fast as the server takes them. */
export function pour(socket: Socket, bytes: Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on("drain", more);
  more();
}

/** Asks on so many connections at once, on each again when it is answered, or after a pause when it is refused. */
export function keepAsking(count: number, port: number, request: string | Buffer): void {
  const bytes = Buffer.from(request as string);
  const open = (index: number) => {
    const connection = openConnection({ host, port, localAddress: from(index) }, () =>
      setTimeout(open, pauseMs, index),
    );
    const ask = () =>
      connection.send(bytes, (status) => {
        if (status === "200") ask();
        else if (/^\d+$/.test(status)) setTimeout(ask, refusedMs);
      });
    ask();
  };
  for (let index = 0; index < count; index += 1) open(index);
}

const refusedMs = 100;
