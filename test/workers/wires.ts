import { EventEmitter } from "node:events";
import { type Channel, openChannel } from "../../src/workers/channel.ts";

/** The two ends of a channel between processes, in this one. Messages arrive later, in order, and as copies. */
export function openWires(): { primary: Channel; worker: Channel; cut(): void } {
  const [one, other] = [new EventEmitter(), new EventEmitter()];
  let connected = true;
  const wire = (from: EventEmitter, to: EventEmitter) => ({
    get connected() {
      return connected;
    },
    send(message: object) {
      const copy = JSON.stringify(message);
      setImmediate(() => connected && to.emit("message", JSON.parse(copy)));
    },
    on: (event: "message", listener: (message: unknown) => void) => from.on(event, listener),
  });
  const primary = openChannel(wire(one, other));
  return {
    primary,
    worker: openChannel(wire(other, one)),
    cut() {
      connected = false;
      primary.end();
    },
  };
}
