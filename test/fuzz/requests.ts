import { type DescMessage, type DescMethod, fromJson, toBinary } from "@bufbuild/protobuf";
import type { Dice } from "../../demo/dice.ts";
import { services } from "../support/services.ts";
import type { Call, Codec, Input } from "./input.ts";
import { jsonBody } from "./json-bodies.ts";
import { mutated } from "./mutations.ts";
import type { Making } from "./values.ts";
import { type CallerName, callers, readers, tokenOf } from "./world.ts";

/** Every RPC there is but streams, also those that are yet to come. */
export const methods: readonly DescMethod[] = services
  .flatMap((each) => each.methods)
  .filter(({ methodKind }) => methodKind === "unary");

/** RPCs that are named otherwise may change something. */
export function isReading({ name }: DescMethod): boolean {
  return /^(List|Get|Explain|Check)[A-Z]/.test(name);
}

const reading = methods.filter(isReading);
const changing = methods.filter((method) => !isReading(method));

export type Wish = {
  readonly dice: Dice;
  /** Whether callers that may change something do so. Otherwise nobody may change anything. */
  readonly isChanging: boolean;
};

/** How much mischief is in a message: none, a little, a lot. */
export const noMischief = 0;
export const anyMischief = (dice: Dice): number => dice.pick([0, 0, 0.05, 0.15, 0.4]);

/** A call with a body made for it. */
export function anyCall({ dice, isChanging }: Wish, mischief: number, isAttack = false): Call {
  const method = dice.pick(dice.chance(isChanging ? 0.15 : 0.7) ? reading : changing);
  const codec: Codec = dice.chance(0.6) ? "json" : "proto";
  const making = { dice, mischief, isAttack };
  const plain = codec === "json" ? Buffer.from(jsonBody(making, method.input)) : binaryBody(making, method.input);
  return { method, codec, plain, caller: anyCaller(dice, isChanging || isReading(method)) };
}

/** A message in the binary format: valid where there is no mischief. Otherwise, what JSON can't say becomes accidents. */
function binaryBody(making: Making, message: DescMessage): Buffer {
  try {
    return Buffer.from(toBinary(message, fromJson(message, JSON.parse(jsonBody(making, message)))));
  } catch {
    const valid = jsonBody({ ...making, mischief: 0, isAttack: false }, message);
    return mutated(making.dice, Buffer.from(toBinary(message, fromJson(message, JSON.parse(valid)))));
  }
}

const everybody = Object.keys(callers) as CallerName[];

function anyCaller(dice: Dice, mayChange: boolean): CallerName | undefined {
  if (dice.chance(0.05)) return undefined;
  if (mayChange && dice.chance(0.5)) return "owner";
  return dice.pick(mayChange ? everybody : readers);
}

/** The name and the value of a header; one may occur several times. */
export type Header = readonly [name: string, value: string];

export function pathOf({ parent, name }: DescMethod): string {
  return `/${parent.typeName}/${name}`;
}

/** The headers of a call that is in order, but for the length of its body. */
export function headersOf({ codec, caller }: Call): Header[] {
  const credentials: Header[] = caller === undefined ? [] : [["authorization", `Bearer ${tokenOf(caller)}`]];
  return [["host", "x"], ["content-type", `application/${codec}`], ["connect-protocol-version", "1"], ...credentials];
}

/** A request in bytes. Nothing is added, so that anything can be left out. */
export function bytesOf(startLine: string, headers: readonly Header[], body: string | Uint8Array = ""): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${startLine}\r\n${lines.join("")}\r\n`), Buffer.from(body)]);
}

/** A call with these headers and this body, as one complete request. */
export function requestOf(call: Call, headers: readonly Header[] = headersOf(call), body = call.plain): Buffer {
  const length: Header = ["content-length", String(body.byteLength)];
  return bytesOf(`POST ${pathOf(call.method)} HTTP/1.1`, [...headers, length], body);
}

/** One request that has to get one answer. */
export function oneRequest(kind: string, bytes: Buffer, more: Partial<Input> = {}): Input {
  return { kind, steps: [{ send: bytes }], answers: 1, keepsAlive: true, ...more };
}
