import { fromJson } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import type { Instant } from "../authorization/authorization.ts";
import { nextInstant } from "../rpc/messages/timestamps.ts";

/** Reads a time as requests have it in JSON, such as `2026-01-31T08:00:00Z`. Undefined if it isn't one. */
export function readTime(text: string): Instant | undefined {
  try {
    return nextInstant(fromJson(TimestampSchema, text));
  } catch {
    return undefined;
  }
}
