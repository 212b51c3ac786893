import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Dice } from "../../demo/dice.ts";
import { frame } from "../support/frames.ts";
import type { Call, Input } from "./input.ts";
import { mutated } from "./mutations.ts";
import { anyCall, anyMischief, type Header, headersOf, oneRequest, pathOf, requestOf, type Wish } from "./requests.ts";

/** A call in gRPC-Web over HTTP/1.1, or in gRPC over HTTP/2, with frames that are right or not. */
export function framedCall(wish: Wish): Input {
  const { dice } = wish;
  const call = anyCall(wish, anyMischief(dice));
  const isWhole = dice.chance(0.4);
  const body = isWhole ? frame(call.plain) : dice.pick(tricks)(Buffer.from(call.plain), dice);
  const more = isWhole ? { call } : {};
  if (dice.chance(0.5)) {
    const headers = [...framedHeaders(call, "application/grpc-web"), ...oddOnes(dice, isWhole)];
    return oneRequest("framed call", requestOf(call, headers, body), more);
  }
  const headers = Object.fromEntries([
    [":method", "POST"],
    [":path", pathOf(call.method)],
    ...framedHeaders(call, "application/grpc").slice(1),
    ...oddOnes(dice, isWhole),
  ]);
  const at = dice.below(body.length + 1);
  const stream = { headers, pieces: [body.subarray(0, at), body.subarray(at)], withTrailers: dice.chance(0.2) };
  return { kind: "framed call on a stream", steps: [{ send: body }], answers: 1, keepsAlive: false, stream, ...more };
}

/** The first one is Host. */
function framedHeaders(call: Call, type: string): Header[] {
  return headersOf(call)
    .filter(([name]) => name !== "connect-protocol-version")
    .map(([name, value]) => (name === "content-type" ? [name, `${type}+${call.codec}`] : [name, value]));
}

function oddOnes(dice: Dice, isWhole: boolean): Header[] {
  const headers: Header[] = [];
  if (dice.chance(0.3)) headers.push(["grpc-accept-encoding", dice.pick(["gzip", "br,gzip", "identity", "zstd", ""])]);
  if (isWhole) return headers;
  if (dice.chance(0.5)) headers.push(["grpc-encoding", dice.pick(["gzip", "gzip", "br", "identity", "zstd", ""])]);
  if (dice.chance(0.2)) headers.push(["grpc-timeout", dice.pick(timeouts)]);
  return headers;
}

const timeouts = ["10S", "1M", "0n", "1n", "5m", "99999999H", "123456789S", "1s", "-1S", "1.5S", "S", "", "1S,2S"];

const tricks: ((plain: Buffer, dice: Dice) => Buffer)[] = [
  (plain) => frame(gzipSync(plain, { level: 1 }), { flags: 1 }),
  (plain) => frame(brotliCompressSync(plain, { params: { 1: 1 } }), { flags: 1 }),
  (plain, dice) => frame(mutated(dice, gzipSync(plain, { level: 1 })), { flags: 1 }),
  () => frame(bomb, { flags: 1 }),
  (plain) => frame(plain, { flags: 1 }),
  (plain, dice) => frame(plain, { flags: dice.pick([2, 3, 4, 0x80, 0x81, 0xff]) }),
  (plain, dice) => frame(plain).subarray(0, dice.below(plain.length + 5)),
  (plain, dice) => frame(plain, { length: Math.max(0, plain.length + dice.pick([-1, 1, 5, -5])) }),
  (plain, dice) => frame(plain, { length: dice.pick([0, 4_194_305, 2 ** 31, 2 ** 32 - 1]) }),
  (plain) => Buffer.concat([frame(plain), frame(plain)]),
  (plain) => Buffer.concat([frame(plain), frame("x: y\r\n", { flags: 0x80 })]),
  (plain) => Buffer.concat([frame("x: y\r\n", { flags: 0x80 }), frame(plain)]),
  (plain) => Buffer.concat([frame(plain), Buffer.alloc(20_000)]),
  () => frame("x: y\r\n", { flags: 0x80 }),
  () => Buffer.concat(Array.from({ length: 500 }, () => frame(""))),
  () => Buffer.alloc(0),
  (plain) => plain,
  (plain, dice) => mutated(dice, frame(plain)),
];

/** 32 MiB in a few kilobytes. */
const bomb = gzipSync(Buffer.alloc(32 * 2 ** 20, "["), { level: 1 });
