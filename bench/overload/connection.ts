import { connect, type Socket } from "node:net";

/** A kept-alive connection that sends one request after the other, with as little work for this machine as possible. */
export type Connection = {
  /** Sends a request; the answer's status is told when its last byte is there, or why the connection broke. */
  send(request: Buffer, done: (status: string) => void): void;
  close(): void;
};

const endOfHead = Buffer.from("\r\n\r\n");

export type Address = {
  readonly host: string;
  readonly port: number;
  /** Where this end is, if the system shall not choose. */
  readonly localAddress?: string;
};

export function openConnection(address: Address, onClosed: () => void): Connection {
  const socket: Socket = connect({ ...address, noDelay: true });
  let done: ((status: string) => void) | undefined;
  let status = "";
  let broke = "closed";
  let missing = -1;
  let head: Buffer = Buffer.alloc(0);

  socket.on("data", (chunk: Buffer) => {
    if (missing < 0) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const end = head.indexOf(endOfHead);
      if (end < 0) return;
      const text = head.toString("latin1", 0, end);
      status = text.slice(9, 12);
      missing = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0) - (head.length - end - endOfHead.length);
      head = Buffer.alloc(0);
    } else {
      missing -= chunk.length;
    }
    if (missing > 0) return;
    missing = -1;
    finish(status);
  });
  socket.on("error", (error: NodeJS.ErrnoException) => {
    broke = error.code ?? error.message;
  });
  socket.on("close", () => {
    onClosed();
    finish(broke);
  });

  function finish(how: string): void {
    const tell = done;
    done = undefined;
    tell?.(how);
  }

  return {
    send(request, then) {
      done = then;
      socket.write(request);
    },
    close: () => socket.destroy(),
  };
}
