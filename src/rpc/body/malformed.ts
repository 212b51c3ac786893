import type { DescMessage } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { shorten } from "../door/shorten.ts";
import { misreadField } from "./misread-field.ts";

/**
 * Turns Connect's error for an unreadable request into the one for callers; undefined for any other error. Connect
 * reports broken binary messages and truncated compression as `internal`, and doesn't always name the wrong field in
 * JSON. These are the caller's mistakes, so they become `invalid_argument`, with the field if there is one.
 */
export function malformed(
  { rawMessage }: ConnectError,
  input: DescMessage,
  bytes: Uint8Array,
): ConnectError | undefined {
  if (/^(parse binary: |decompression failed$)/.test(rawMessage)) return invalid(rawMessage);
  if (!rawMessage.startsWith("cannot decode ")) return undefined;
  // For a message that is nested too deeply, no single field is wrong.
  const field = /maximum recursion depth/.test(rawMessage) ? "" : misreadField(input, Buffer.from(bytes).toString());
  return invalid(field === "" ? rawMessage : `${field}: ${rawMessage}`);
}

function invalid(message: string): ConnectError {
  return new ConnectError(shorten(message), Code.InvalidArgument);
}
