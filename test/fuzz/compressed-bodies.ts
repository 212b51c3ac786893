import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { Dice } from "../../demo/dice.ts";
import type { Input } from "./input.ts";
import { mutated } from "./mutations.ts";
import { anyCall, type Header, headersOf, noMischief, oneRequest, requestOf, type Wish } from "./requests.ts";

/** A body that is compressed, rightly or not; also one that is much larger than it looks. */
export function compressedBody(wish: Wish): Input {
  const { dice } = wish;
  const call = anyCall(wish, noMischief);
  const name = dice.pick(["gzip", "gzip", "br", "br", "deflate", "identity"]);
  const body = dice.chance(0.05) ? bomb(name) : dice.pick(treatments)(dice, pack(name, call.plain), name);
  const headers: Header[] = [...headersOf(call), ["content-encoding", name]];
  if (dice.chance(0.5)) headers.push(["accept-encoding", dice.pick(["gzip", "br", "gzip, br", "identity"])]);
  return { ...oneRequest("compressed body", requestOf(call, headers, body)), plain: call.plain };
}

function pack(name: string, bytes: Uint8Array): Buffer {
  if (name === "gzip") return gzipSync(bytes, { level: 1 });
  if (name === "br") return brotliCompressSync(bytes, fast);
  return name === "deflate" ? deflateSync(bytes) : Buffer.from(bytes);
}

const fast = { params: { 1: 1 } };

const treatments: ((dice: Dice, bytes: Buffer, name: string) => Buffer)[] = [
  (_dice, bytes) => bytes,
  (_dice, bytes) => bytes,
  (dice, bytes) => bytes.subarray(0, dice.below(bytes.length + 1)),
  (_dice, bytes) => Buffer.concat([bytes, Buffer.from("x")]),
  (_dice, bytes) => Buffer.concat([bytes, bytes]),
  (_dice, bytes, name) => pack(name, bytes),
  mutated,
];

const madeBombs = new Map<string, Buffer>();

/** 32 MiB in a few kilobytes. */
function bomb(name: string): Buffer {
  const made = madeBombs.get(name) ?? pack(name === "br" ? "br" : "gzip", Buffer.alloc(32 * 2 ** 20, "["));
  madeBombs.set(name, made);
  return made;
}
