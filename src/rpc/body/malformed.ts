import type { DescMessage } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { shorten } from "../door/answers.ts";
import { misreadField } from "./misread-field.ts";

/**
 * What Connect says of a request that it cannot read, as callers hear it; undefined for what is wrong with anything
 * else. It calls broken binary and cut off compression `internal`, and does not always say which field of JSON it
 * stumbled over. Both are the caller's mistakes, so they become `invalid_argument`, with the field where there is one.
 */
export function malformed(
  { rawMessage }: ConnectError,
  input: DescMessage,
  bytes: Uint8Array,
): ConnectError | undefined {
  if (/^(parse binary: |decompression failed$)/.test(rawMessage)) return invalid(rawMessage);
  if (!rawMessage.startsWith("cannot decode ")) return undefined;
  // Of what nests too deep no single field is to blame.
  const field = /maximum recursion depth/.test(rawMessage) ? "" : misreadField(input, Buffer.from(bytes).toString());
  return invalid(field === "" ? rawMessage : `${field}: ${rawMessage}`);
}

function invalid(message: string): ConnectError {
  return new ConnectError(shorten(message), Code.InvalidArgument);
}
