import type { Dice } from "../../demo/dice.ts";
import { block, flags, four, frame, preface, settingsOf } from "../support/http2-frames.ts";
import type { Input, Step } from "./input.ts";
import { mutated } from "./mutations.ts";
import { anyCall, anyMischief, headersOf, pathOf, type Wish } from "./requests.ts";

/**
 * A connection of HTTP/2 that breaks rules: about frames, their lengths, flags, order and streams, about headers and
 * their compression. In the end the client says that nothing more comes, so the server has to close.
 */
export function http2Frames(wish: Wish): Input {
  const { dice } = wish;
  const greeting = dice.chance(0.9) ? frame("settings", 0, 0) : Buffer.alloc(0);
  const pieces = Array.from({ length: 1 + dice.below(12) }, (_, index) => dice.pick(tricks)(wish, 2 * index + 1));
  const all = Buffer.concat([preface, greeting, ...pieces]);
  const send = dice.chance(0.2) ? mutated(dice, all) : all;
  const cut = dice.chance(0.2) ? dice.below(send.length + 1) : send.length;
  const pause: Step[] = dice.chance(0.3) ? [{ pauseMs: dice.pick([0, 1, 5]) }] : [];
  const steps = [{ send: send.subarray(0, cut) }, ...pause, { send: send.subarray(cut) }, ...pause];
  const finish = dice.chance(0.85) ? "end" : "reset";
  return { kind: "frames of HTTP/2", steps: [...steps, { finish }], answers: "frames", keepsAlive: false };
}

type Trick = (wish: Wish, stream: number) => Buffer;

const { endStream, endHeaders } = flags;
const whole = endStream | endHeaders;
type Pairs = readonly (readonly [name: string, value: string])[];

const pseudo: Pairs = [
  [":method", "GET"],
  [":scheme", "http"],
  [":path", "/healthz"],
  [":authority", "x"],
];

const request = (stream: number, headers: Pairs, flagged = whole) => frame("headers", flagged, stream, block(headers));

/** An RPC, in order but for what its message holds. */
const rpc: Trick = (wish, stream) => {
  const call = anyCall(wish, anyMischief(wish.dice));
  const path = [
    [":method", "POST"],
    [":scheme", "http"],
    [":path", pathOf(call.method)],
    [":authority", "x"],
  ] as const;
  const headers = headersOf(call).filter(([name]) => name !== "host");
  const body = Buffer.from(call.plain).subarray(0, 16_000);
  return Buffer.concat([request(stream, [...path, ...headers], endHeaders), frame("data", endStream, stream, body)]);
};

const healthy: Trick = (_, stream) => request(stream, pseudo);

const anyFrame: Trick = ({ dice }, stream) => {
  const type = dice.pick([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 200, 255]);
  const on = dice.pick([stream, stream, 0, 1, 2, 3, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1]);
  const payload = anyBytes(dice, dice.pick([0, 1, 4, 5, 6, 8, 40, 16_384, 16_385]));
  const length = dice.chance(0.1) ? dice.pick([0, 1, payload.length + 1, 2 ** 24 - 1]) : payload.length;
  return frame(type, dice.pick([0, 1, 4, 5, 8, 13, 32, 41, 255]), on, payload, length);
};

const oddBlock: Trick = ({ dice }, stream) => {
  const bytes = dice.pick([
    anyBytes(dice, 1 + dice.below(60)),
    mutated(dice, block(pseudo)),
    // An index that is nowhere, a table that is too large, numbers and lengths without end, Huffman's end of text.
    Buffer.from([0xff, 0xff, 0xff, 0xff, 0x7f]),
    Buffer.from([0x3f, 0xff, 0xff, 0xff, 0x0f]),
    Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
    Buffer.from([0x80]),
    Buffer.from([0, 0x84, 0xff, 0xff, 0xff, 0xff, 0]),
  ]);
  return frame("headers", whole, stream, bytes);
};

const oddHeaders: Trick = ({ dice }, stream) => {
  const odd = dice.pick<Pairs>([
    [],
    pseudo.slice(1),
    [...pseudo, [":path", "/"]],
    [["x", "y"], ...pseudo],
    [...pseudo, [":unknown", "x"]],
    [...pseudo, [":status", "200"]],
    [...pseudo, [":protocol", "websocket"]],
    [
      [":method", "CONNECT"],
      [":authority", "x:1"],
    ],
    ...[
      ["", "x"],
      ["A", "x"],
      ["a b", "x"],
      ["x", "a\r\nb: c"],
      ["x", "\0"],
      ["x", " y "],
    ].map(withOne),
    ...[
      ["connection", "close"],
      ["transfer-encoding", "chunked"],
      ["upgrade", "h2c"],
      ["te", "gzip"],
    ].map(withOne),
    ...[
      ["content-length", "5"],
      ["content-length", "-1"],
      ["host", "y"],
      ["expect", "x"],
      ["cookie", "a"],
    ].map(withOne),
    [...pseudo, ["host", "x"], ["host", "x"]],
    [...pseudo, ["authorization", "a"], ["authorization", "b"]],
    [...pseudo, ...Array.from({ length: 200 }, (_, index): [string, string] => [`x${index}`, ""])],
    [...pseudo, ["x", "y".repeat(15_000)], ["z", "y".repeat(1_300)]],
    pseudo.map(([name, value]) => [name, name === ":path" ? dice.pick(oddPaths) : value]),
    pseudo.map(([name, value]) => [name, name === ":authority" ? dice.pick(["", "a b", "@", "[::", "\xff"]) : value]),
    pseudo.map(([name, value]) => [name, name === ":method" ? dice.pick(["", "PRI", "get", "POST", "G T"]) : value]),
  ]);
  return request(stream, odd, dice.chance(0.8) ? whole : endHeaders);
};

const withOne = ([name = "", value = ""]: string[]): Pairs => [...pseudo, [name, value]];
const oddPaths = ["", "*", "healthz", "//", "/\xff", "/a#b", "http://x/healthz", "/%00", `/${"a".repeat(9_000)}`];

const wrongOrder: Trick = ({ dice }, stream) => {
  const half = block(pseudo);
  const first = frame("headers", endStream, stream, half.subarray(0, 10));
  const rest = frame("continuation", endHeaders, stream, half.subarray(10));
  return Buffer.concat(
    dice.pick([
      [first, rest],
      [rest],
      [first, frame("ping", 0, 0, "12345678"), rest],
      [first, frame("continuation", endHeaders, stream + 2, half.subarray(10))],
      [first, ...Array<Buffer>(20).fill(frame("continuation", 0, stream))],
      [frame("data", endStream, stream, "early")],
      [request(stream, pseudo), frame("data", endStream, stream, "late")],
      [request(stream, pseudo, endHeaders), request(stream, [["x", "trailer"]]), frame("data", 0, stream, "later")],
      [request(stream, pseudo, endHeaders), request(stream, [["x", "no end"]], endHeaders)],
      [request(stream + 1, pseudo)],
      [request(stream, pseudo), request(stream, pseudo)],
    ]),
  );
};

const control: Trick = ({ dice }, stream) =>
  dice.pick([
    frame(
      "settings",
      0,
      0,
      settingsOf([dice.below(20), dice.pick([0, 1, 2 ** 14 - 1, 2 ** 24, 2 ** 31, 2 ** 32 - 1])]),
    ),
    frame("settings", flags.ack, 0, "x"),
    frame("settings", 0, stream),
    frame("settings", 0, 0, "12345"),
    frame("ping", dice.below(2), dice.below(2), "1234567".repeat(dice.below(3))),
    frame("window", 0, dice.pick([0, stream]), four(dice.pick([0, 1, 2 ** 31 - 1, 2 ** 32 - 1]))),
    frame("reset", 0, dice.pick([0, stream, stream + 100]), four(dice.below(20))),
    frame("priority", 0, stream, [...four(stream), 255]),
    frame("push", endHeaders, stream, Buffer.concat([four(stream + 1), block(pseudo)])),
    frame("goaway", 0, 0, Buffer.concat([four(2 ** 31 - 1), four(dice.below(20))])),
    frame("data", flags.padded, stream, Buffer.from([255, 1, 2])),
    Buffer.concat([request(stream, pseudo), frame("reset", 0, stream, four(8))]),
    Buffer.concat(Array<Buffer>(300).fill(frame("ping", 0, 0, "12345678"))),
  ]);

const tricks: readonly Trick[] = [
  rpc,
  healthy,
  anyFrame,
  anyFrame,
  oddBlock,
  oddHeaders,
  oddHeaders,
  wrongOrder,
  control,
];

function anyBytes(dice: Dice, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => dice.below(256)));
}
