import type { DescField, DescMessage, DescMethod } from "@bufbuild/protobuf";
import type { Dice } from "../../demo/dice.ts";
import type { Call, Codec, Input } from "./input.ts";
import { methods, requestOf, type Wish } from "./requests.ts";
import { readers } from "./world.ts";

/** Bodies that are large or deep: as large as is allowed, and a little more. */
export function hugeBody({ dice }: Wish): Input {
  const method = dice.pick(methods);
  const codec: Codec = dice.chance(0.7) ? "json" : "proto";
  const caller = dice.pick(readers);
  const plain = codec === "json" && dice.chance(0.7) ? longList(dice, method) : anyHuge(dice, codec);
  const call: Call = { method, codec, caller, plain };
  return { kind: "huge body", steps: [{ send: requestOf(call) }], answers: 1, keepsAlive: false, call };
}

const limit = 4_194_304;

/** Mostly what costs little; the largest take up to a second. */
function anySize(dice: Dice): number {
  return dice.pick(dice.chance(0.95) ? [1_000, 10_000, 50_000] : [500_000, limit - 100, limit, limit + 1]);
}

function anyHuge(dice: Dice, codec: Codec): Buffer {
  return codec === "json" ? Buffer.from(hugeJson(dice)) : hugeBinary(dice);
}

/** Some list of the request with many items, in JSON: the bounds say how many it may have. */
function longList(dice: Dice, method: DescMethod): Buffer {
  const [before, list] = wayToList(dice, method.input);
  if (list === undefined) return anyHuge(dice, "json");
  const length = dice.pick([999, 1_000, 1_001, 1_002, 3_000]);
  const ofTexts = list.message === undefined;
  const item = dice.pick(ofTexts ? ['""', '""', '"x"', '"\\ud800"', "null"] : ["{}", "{}", "null", '{"remove":{}}']);
  const areDifferent = ofTexts && dice.chance(0.3);
  const items = Array.from({ length }, (_, index) => (areDifferent ? `"${index}"` : item));
  return Buffer.from(`${before}[${items.join(",")}]${closing(before)}`);
}

/** The JSON that leads to a list, which may be within another message or list. */
function wayToList(dice: Dice, message: DescMessage): [before: string, list: DescField | undefined] {
  const lists = message.fields.filter(({ fieldKind }) => fieldKind === "list");
  const field = dice.pick([...lists, ...message.fields.filter((each) => each.message !== undefined)]);
  if (field === undefined) return ["", undefined];
  const here = `{${JSON.stringify(field.jsonName)}:`;
  if (field.message === undefined || (field.fieldKind === "list" && dice.chance(0.5))) return [here, field];
  const [there, list] = wayToList(dice, field.message);
  return [`${here}${field.fieldKind === "list" ? "[" : ""}${there}`, list];
}

/** What ends everything that has begun. */
function closing(begun: string): string {
  const open = Array.from(begun).filter((letter) => letter === "{" || letter === "[");
  const ends = open.reverse().map((letter) => (letter === "{" ? "}" : "]"));
  return ends.join("");
}

function hugeJson(dice: Dice): string {
  const size = anySize(dice);
  const often = (piece: string) => piece.repeat(Math.floor(size / piece.length));
  return dice.pick([
    () => often("["),
    () => often('{"a":'),
    () => `{"filters":${often("[")}`,
    () => `{"filters":[${often("{},")}{}]}`,
    () => `{"filters":[{"inUserIds":{"ids":[${often('"",')}""]}}]}`,
    () => `{"filters":[{"inUserIds":{"ids":[${often('"x",')}"x"]}}]}`,
    () => `{"filters":[{"userId":{"id":"${often("x")}"}}]}`,
    () => `{"id":"${often("\\u0000")}"}`,
    () => `{"id":"a1","roleKeys":[${often('"",')}""]}`,
    () => `{"id":"a1","roleKeys":[${often('"\\ud800",')}"x"]}`,
    () => `{"changes":[${often("{},")}{}]}`,
    () => `{"changes":[${often('{"remove":{}},')}{}]}`,
    () => `{"changes":[${often('{"user":{"id":""}},')}{}]}`,
    () => `{"pagination":{"limit":${often("1")}}}`,
    () => `{${often('"a":1,')}"b":1}`,
    () => `{"${often("a")}":1}`,
    () => `{}${often(" ")}`,
  ])();
}

function hugeBinary(dice: Dice): Buffer {
  const size = anySize(dice);
  const often = (...piece: number[]) =>
    Buffer.alloc(Math.floor(size / piece.length) * piece.length, Buffer.from(piece));
  return dice.pick([
    () => often(0x0b),
    () => often(0x0b, 0x0c),
    () => often(0x0a, 0x00),
    () => often(0x1a, 0x00),
    () => often(0x22, 0x00),
    () => often(0x12, 0x00),
    () => often(0x1a, 0x04, 0x22, 0x02, 0x0a, 0x00),
    () => often(0x0a, 0x02, 0x42, 0x00),
    () => often(0xf8, 0x07, 0x01),
    () => often(0xff),
    () => nested(Math.min(size, 20_000)),
  ])();
}

/** A field within itself; nobody's message, but read as an unknown field or a broken text. */
function nested(depth: number): Buffer {
  let bytes = Buffer.alloc(0);
  for (let level = 0; level < Math.min(depth, 1_000); level += 1) {
    const size = bytes.length < 128 ? [bytes.length] : [(bytes.length & 0x7f) | 0x80, (bytes.length >> 7) & 0x7f];
    bytes = Buffer.concat([Buffer.from([0x0a, ...size]), bytes]);
  }
  return bytes;
}
