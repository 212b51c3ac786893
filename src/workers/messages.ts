import { EventEmitter } from "node:events";

/** What connects two processes: Node's `process` or a child process. */
export type Wire = {
  readonly connected: boolean;
  send?(message: object, callback: (error: Error | null) => void): unknown;
  on(event: "message", listener: (message: unknown) => void): unknown;
};

export type Messages = ReturnType<typeof openMessages>;

/** Messages between the primary process and one worker. */
export function openMessages(wire: Wire) {
  const received = new EventEmitter();
  wire.on("message", (message) => {
    const { name, body } = message as { name?: string; body?: unknown };
    if (name !== undefined) received.emit(name, body);
  });
  return {
    /** Resolves when it is sent, or can't be: a process that isn't connected ends soon. */
    tell: (name: string, body?: unknown) =>
      new Promise<void>((resolve) => {
        if (!wire.connected || wire.send === undefined) return resolve();
        wire.send({ name, body }, () => resolve());
      }),
    /** Emits each message by its name, with its body. */
    received,
  };
}
