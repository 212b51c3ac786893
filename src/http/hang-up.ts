import type { Duplex } from "node:stream";

/** Closes a connection in that many milliseconds, unless it is closed by then. */
export function hangUpIn(ms: number, socket: Duplex): void {
  const hangUp = setTimeout(() => socket.destroy(), ms);
  socket.once("close", () => clearTimeout(hangUp));
}

/** How long a client may take to read its last answer and hang up, in milliseconds. */
export const lingerMs = 2_000;
