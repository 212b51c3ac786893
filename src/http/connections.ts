import type { Server, Socket } from "node:net";
import { andThen, type Counting, countHere } from "../rpc/door/counting.ts";
import { ignoreError } from "./hang-up.ts";

/** Closes connections beyond the limit at once, with the event `drop`. To be called after all listeners are added. */
export function boundConnections(server: Server, most: number, counting: Counting): void {
  if (counting === countHere) {
    // Node counts them at no cost.
    server.maxConnections = most;
    return;
  }
  const connections = counting.allowance("connections", most);
  const listeners = server.listeners("connection") as ((this: Server, socket: Socket) => void)[];
  server.removeAllListeners("connection").on("connection", (socket: Socket) => {
    socket.on("error", ignoreError);
    void andThen(connections.take("", 1), (isTaken) => {
      const leave = () => connections.give("", 1);
      if (!isTaken) {
        socket.destroy();
        server.emit("drop");
      } else if (socket.closed) leave();
      else {
        socket.once("close", leave);
        for (const listener of listeners) listener.call(server, socket);
      }
    });
  });
}
