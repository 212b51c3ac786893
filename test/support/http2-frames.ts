import { connect } from "node:net";
import { callOf } from "./http2.ts";
import { until } from "./until.ts";

/** The preface of every client (RFC 9113, section 3.4). */
export const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

/** The types of frames (RFC 9113, section 6). */
export const frameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  push: 5,
  ping: 6,
  goaway: 7,
  window: 8,
  continuation: 9,
} as const;

export const flags = { endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 32 } as const;

export type Frame = {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
};

/** The bytes of a frame. Its length can be a lie. */
export function frame(
  type: keyof typeof frameTypes | number,
  flagged: number,
  stream: number,
  payload: Buffer | string | readonly number[] = nothing,
  length?: number,
): Buffer {
  const body = Buffer.from(payload as Buffer);
  const head = Buffer.alloc(9);
  head.writeUIntBE(length ?? body.length, 0, 3);
  head[3] = typeof type === "number" ? type : frameTypes[type];
  head[4] = flagged;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, body]);
}

const nothing = Buffer.alloc(0);

/** What clients send first. */
export const greeting = Buffer.concat([preface, frame("settings", 0, 0)]);

/** A number of four bytes: an error code, or the increment of a window. */
export function four(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A list of settings as a frame has them. */
export function settingsOf(...pairs: readonly (readonly [id: number, value: number])[]): Buffer {
  return Buffer.concat(pairs.map(([id, value]) => Buffer.concat([Buffer.of(id >> 8, id & 255), four(value)])));
}

/** A block of headers without compression: literals that are not added to the table (RFC 7541, section 6.2.2). */
export function block(headers: readonly (readonly [name: string, value: string])[]): Buffer {
  return Buffer.concat(
    headers.flatMap(([name, value]) => [
      Buffer.of(0),
      ...[name, value].flatMap((text) => [lengthOf(text), utf8(text)]),
    ]),
  );
}

const utf8 = (text: string) => Buffer.from(text, "latin1");

/** A length of seven bits, continued in further bytes (RFC 7541, section 5.1). */
function lengthOf(text: string): Buffer {
  let rest = text.length - 127;
  if (rest < 0) return Buffer.of(text.length);
  const bytes = [127];
  for (; rest >= 128; rest >>= 7) bytes.push((rest & 127) | 128);
  return Buffer.of(...bytes, rest);
}

/** The headers of a call in JSON, pseudo-headers first. */
export function call(rpc: string, token: string): Buffer {
  const headers = Object.entries({ ":scheme": "http", ":authority": "x", ...callOf(rpc, token) });
  const rank = ([name]: readonly [string, unknown]) => Number(!name.startsWith(":"));
  return block(headers.toSorted((one, other) => rank(one) - rank(other)) as [string, string][]);
}

/** The headers of a GET. */
export function get(path: string): Buffer {
  return block([
    [":method", "GET"],
    [":scheme", "http"],
    [":path", path],
    [":authority", "x"],
  ]);
}

/** A whole GET. */
export const getFrame = (stream: number, path = "/healthz") =>
  frame("headers", flags.endStream | flags.endHeaders, stream, get(path));

export type FrameConnection = ReturnType<typeof openFrames>;

/** A connection that sends frames as they are given, after the preface and settings, unless the caller sends these. */
export function openFrames(url: string, greet = true) {
  const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1" });
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.on("error", () => {});
  /** All frames that have come. */
  const received = () => framesOf(Buffer.concat(chunks));
  const send = (...bytes: readonly Buffer[]) => void socket.write(Buffer.concat(bytes));
  if (greet) send(greeting);
  return {
    socket,
    send,
    received,
    /** Resolves to the first frame of a type, on a stream if one is given. */
    one: (type: keyof typeof frameTypes, stream?: number): Promise<Frame> =>
      until(`a frame of type ${type}`, () =>
        received().find((found) => found.type === frameTypes[type] && (stream ?? found.stream) === found.stream),
      ),
    async untilClosed() {
      await until("the connection to close", () => socket.closed);
    },
    close: () => void socket.destroy(),
  };
}

/** Every whole frame at the beginning of these bytes. */
export function framesOf(bytes: Buffer): Frame[] {
  const frames: Frame[] = [];
  for (let at = 0; at + 9 <= bytes.length; ) {
    const end = at + 9 + bytes.readUIntBE(at, 3);
    if (end > bytes.length) break;
    const [type = 0, flagged = 0] = bytes.subarray(at + 3);
    frames.push({ type, flags: flagged, stream: bytes.readUInt32BE(at + 5), payload: bytes.subarray(at + 9, end) });
    at = end;
  }
  return frames;
}
