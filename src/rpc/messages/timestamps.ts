import type { Duration, Timestamp } from "@bufbuild/protobuf/wkt";
import type { DateRangeFilter } from "../../../gen/service/filter/v2/filter_pb.ts";
import type { Instant } from "../../authorization/authorization.ts";
import { modulo } from "../../authorization/instant.ts";
import type { DateRange } from "../../authorization/list.ts";

export function fromInstant(instant: Instant): Timestamp {
  const microseconds = modulo(instant, 1_000_000n);
  return {
    $typeName: "google.protobuf.Timestamp",
    seconds: (instant - microseconds) / 1_000_000n,
    nanos: Number(microseconds) * 1000,
  };
}

/** Nanoseconds, since the epoch or long, because both can be finer than an instant. */
export function toNanoseconds({ seconds, nanos }: Pick<Timestamp | Duration, "seconds" | "nanos">): bigint {
  return seconds * 1_000_000_000n + BigInt(nanos);
}

/** Validation refuses timestamps finer than an instant where this is used. */
export function toInstant(timestamp: Timestamp | undefined): Instant | undefined {
  return timestamp && toNanoseconds(timestamp) / 1000n;
}

export function toDateRange({ from, to }: DateRangeFilter): DateRange {
  return { from: from && nextInstant(from), to: to && nextInstant(to) };
}

/** The first instant that is not before a timestamp. This is correct for both ends of a range. */
export function nextInstant(timestamp: Timestamp): Instant {
  const nanoseconds = toNanoseconds(timestamp);
  return (nanoseconds + modulo(-nanoseconds, 1_000n)) / 1_000n;
}
