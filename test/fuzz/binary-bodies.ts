import { type DescMessage, fromJson, toBinary } from "@bufbuild/protobuf";
import { jsonBody } from "./json-bodies.ts";
import { mutated } from "./mutations.ts";
import type { Making } from "./values.ts";

/** A message in the binary format: valid where there is no mischief. Otherwise, what JSON can't say becomes accidents. */
export function binaryBody(making: Making, message: DescMessage): Buffer {
  try {
    return Buffer.from(toBinary(message, fromJson(message, JSON.parse(jsonBody(making, message)))));
  } catch {
    const valid = jsonBody({ ...making, mischief: 0, isAttack: false }, message);
    return mutated(making.dice, Buffer.from(toBinary(message, fromJson(message, JSON.parse(valid)))));
  }
}
