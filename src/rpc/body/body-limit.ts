import { Code, ConnectError } from "@connectrpc/connect";

/** Refuses a body as early as possible. Both functions throw. */
export type BodyLimit = {
  /** Called with the length from the headers, if there is one. */
  promised(bytes: number): void;
  /** Called after each chunk, with the bytes so far. */
  arrived(body: Buffer): void;
};

/** The limit of a body that is a message. */
export function plainLimit(most: number): BodyLimit {
  return {
    promised(bytes) {
      if (bytes > most) throw tooLong(` ${bytes}`, most);
    },
    arrived({ byteLength }) {
      if (byteLength > most) throw tooLong("", most);
    },
  };
}

export function tooLong(size: string, most: number): ConnectError {
  return new ConnectError(`message size${size} is larger than configured readMaxBytes ${most}`, Code.ResourceExhausted);
}
