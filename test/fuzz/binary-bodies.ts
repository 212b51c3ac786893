import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { chosen, isTime } from "./json-bodies.ts";
import { anyCount, anyNumberOf, anyScalar, anyTime, type Making, type Scalar } from "./values.ts";

/** A message in the binary format: valid where there is no mischief, else with tricks of the wire. */
export function binaryBody(making: Making, message: DescMessage, depth = 0): Buffer {
  const { dice, mischief } = making;
  const writer = new BinaryWriter();
  for (const member of message.members) {
    for (const field of chosen(making, member, depth)) {
      const length = field.fieldKind === "list" ? anyCount(making, field) : 1;
      const seen = new Set<string>();
      for (let index = 0; index < length; index += 1) {
        const item = itemOf(making, field, depth);
        const text = mischief > 0 || length === 1 ? String(index) : item.bytes.toString("latin1");
        if (!seen.has(text)) writer.raw(item.bytes);
        seen.add(text);
      }
      if (dice.chance(mischief / 10)) writer.raw(itemOf(making, field, depth).bytes);
    }
  }
  if (dice.chance(mischief / 2)) writer.raw(Buffer.from(dice.pick(wireTricks)));
  return Buffer.from(writer.finish());
}

/** The tag of a field and one value. */
function itemOf(making: Making, field: DescField, depth: number): { bytes: Buffer } {
  const { dice, mischief } = making;
  const writer = new BinaryWriter();
  const type = dice.chance(mischief / 4) ? dice.below(6) : wireTypeOf(field);
  writer.tag(dice.chance(mischief / 6) ? dice.pick(oddNumbers) : field.number, type);
  if (type === WireType.LengthDelimited) writeBytes(writer, making, contentOf(making, field, depth));
  else if (type === WireType.Varint) writer.raw(varintOf(making, field));
  else writer.raw(Buffer.alloc(type === WireType.Bit64 ? 8 : type === WireType.Bit32 ? 4 : 0, 0xab));
  return { bytes: Buffer.from(writer.finish()) };
}

function wireTypeOf(field: DescField): WireType {
  if (field.message !== undefined) return WireType.LengthDelimited;
  if (field.enum !== undefined) return WireType.Varint;
  const isText = field.scalar === ScalarType.STRING || field.scalar === ScalarType.BYTES;
  return isText ? WireType.LengthDelimited : WireType.Varint;
}

function writeBytes(writer: BinaryWriter, { dice, mischief }: Making, content: Buffer): void {
  const shift = dice.chance(mischief / 6) ? dice.pick([-1, 1, 2, 100, 2 ** 20, 2 ** 31 - 1 - content.length]) : 0;
  writer.uint32(Math.max(0, content.length + shift)).raw(content);
}

function contentOf(making: Making, field: DescField, depth: number): Buffer {
  if (isTime(field)) {
    const { seconds, nanos } = anyTime(making);
    return Buffer.from(
      new BinaryWriter()
        .raw(varint(8n))
        .raw(varint(seconds))
        .raw(varint(16n))
        .raw(varint(BigInt(nanos)))
        .finish(),
    );
  }
  if (field.message !== undefined) return binaryBody(making, field.message, depth + 1);
  if (field.enum !== undefined) return varint(BigInt(anyNumberOf(making, field.enum)));
  if (making.dice.chance(making.mischief / 3)) return Buffer.from(making.dice.pick(brokenUtf8));
  return utf8(anyScalar(making, field as DescField & { scalar: ScalarType }));
}

function varintOf(making: Making, field: DescField): Buffer {
  if (making.dice.chance(making.mischief / 3)) return Buffer.from(making.dice.pick(oddVarints));
  if (field.enum !== undefined) return varint(BigInt(anyNumberOf(making, field.enum)));
  if (field.scalar === undefined) return varint(1n);
  const value = anyScalar(making, field as DescField & { scalar: ScalarType });
  return varint(typeof value === "bigint" ? value : value === true ? 1n : 0n);
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}

/** A lone surrogate becomes the three bytes that no UTF-8 has. */
function utf8(value: Scalar): Buffer {
  const text = String(value);
  if (text.isWellFormed()) return Buffer.from(text);
  return Buffer.concat(
    Array.from(text, (letter) => {
      const code = letter.codePointAt(0) ?? 0;
      if (letter.isWellFormed()) return Buffer.from(letter);
      return Buffer.from([0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]);
    }),
  );
}

const oddNumbers = [0, 127, 1_000, 18_999, 19_000, 2 ** 29 - 1];
const oddVarints = [
  [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
  [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
  [0x80, 0x80, 0x00],
  [0x80],
  Array<number>(20).fill(0xff),
  [0xff, 0xff, 0xff, 0xff, 0x0f],
];
const brokenUtf8 = [
  [0xff],
  [0xc0, 0x80],
  [0x61, 0xe2, 0x82],
  [0xed, 0xa0, 0x80],
  [0xf5, 0x80, 0x80, 0x80],
  [0x80],
  [0xf0, 0x9f],
];
const wireTricks = [
  // Groups: empty, with something in it, without an end, nested, an end without a beginning.
  [0x0b, 0x0c],
  [0x0b, 0x08, 0x01, 0x0c],
  [0x0b],
  [0x0b, 0x0b, 0x0c, 0x0c],
  [0x0c],
  [0x0b, 0x14],
  Array<number>(500).fill(0x0b),
  // Unknown fields of every wire type, the largest number, number 0, and types that do not exist.
  [0xf8, 0x07, 0x01],
  [0xf9, 0x07, 0, 0, 0, 0, 0, 0, 0, 0],
  [0xfa, 0x07, 0x02, 0x61, 0x62],
  [0xfd, 0x07, 0, 0, 0, 0],
  [0xf8, 0xff, 0xff, 0xff, 0x0f, 0x01],
  [0x00, 0x00],
  [0x0e],
  [0x0f, 0x01],
  // Lengths beyond the end.
  [0x0a, 0x05, 0x61],
  [0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f],
  [0xfa, 0x07, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
];
