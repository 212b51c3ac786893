import { EventEmitter } from "node:events";

/** What connects two processes: Node's `process` or a child process. */
export type Wire = {
  readonly connected: boolean;
  send?(message: object, callback: (error: Error | null) => void): unknown;
  on(event: "message", listener: (message: unknown) => void): unknown;
};

/** Messages between the primary process and one worker. */
export type Messages = {
  /** Resolves when it is sent, or can't be: a process that isn't connected ends soon. */
  tell(name: string, body?: unknown): Promise<void>;
  /** Emits each message by its name, with its body. */
  readonly received: EventEmitter;
};

export function openMessages(wire: Wire): Messages {
  const received = new EventEmitter();
  wire.on("message", (message) => {
    const { name, body } = message as { name?: string; body?: unknown };
    if (name !== undefined) received.emit(name, body);
  });
  return {
    tell: (name, body) =>
      new Promise((resolve) => {
        if (!wire.connected || wire.send === undefined) return resolve();
        wire.send({ name, body }, () => resolve());
      }),
    received,
  };
}
