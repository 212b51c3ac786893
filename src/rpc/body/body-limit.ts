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
      if (bytes > most) throw tooLong(most, bytes);
    },
    arrived({ byteLength }) {
      if (byteLength > most) throw tooLong(most);
    },
  };
}

/** @param bytes the length; undefined if the rest hasn't arrived */
export function tooLong(most: number, bytes?: number): ConnectError {
  const got = bytes === undefined ? "" : `, got ${bytes}`;
  return new ConnectError(`the request must be at most ${most} bytes${got}`, Code.ResourceExhausted);
}
