import type { Dice } from "../../demo/dice.ts";

/** The bytes with one to four accidents: flipped, cut, inserted, repeated, moved. */
export function mutated(dice: Dice, bytes: Buffer): Buffer {
  let result = bytes;
  for (let left = 1 + dice.below(4); left > 0; left -= 1) result = dice.pick(accidents)(dice, result);
  return result;
}

const accidents: ((dice: Dice, bytes: Buffer) => Buffer)[] = [
  function flip(dice, bytes) {
    if (bytes.length === 0) return bytes;
    const changed = Buffer.from(bytes);
    const at = dice.below(bytes.length);
    changed[at] = (changed[at] ?? 0) ^ (1 << dice.below(8));
    return changed;
  },
  function overwrite(dice, bytes) {
    if (bytes.length === 0) return bytes;
    const changed = Buffer.from(bytes);
    changed[dice.below(bytes.length)] = dice.pick([0, 0x22, 0x5c, 0x7b, 0x7d, 0x80, 0xc0, 0xed, 0xff]);
    return changed;
  },
  function cut(dice, bytes) {
    const at = dice.below(bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + dice.below(8))]);
  },
  function cutOff(dice, bytes) {
    return bytes.subarray(0, dice.below(bytes.length + 1));
  },
  function insert(dice, bytes) {
    const at = dice.below(bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, at), dice.pick(intruders), bytes.subarray(at)]);
  },
  function repeat(dice, bytes) {
    const from = dice.below(bytes.length + 1);
    const piece = bytes.subarray(from, from + 1 + dice.below(20));
    const times = dice.pick([1, 1, 2, 10, 100]);
    return Buffer.concat([bytes.subarray(0, from), ...Array<Buffer>(times).fill(piece), bytes.subarray(from)]);
  },
  function move(dice, bytes) {
    const from = dice.below(bytes.length + 1);
    const to = from + dice.below(bytes.length - from + 1);
    return Buffer.concat([bytes.subarray(from, to), bytes.subarray(0, from), bytes.subarray(to)]);
  },
];

const intruders = [
  ...["\0", '"', "\\", "{", "}", "[", ",", "null", "\\u0000", "\\ud800", "😀", "1e999", "\ufeff"],
  ...[[0xff], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0x80, 0x80, 0x80], [0x0b], [0x0c]],
].map((piece) => Buffer.from(piece as string));
