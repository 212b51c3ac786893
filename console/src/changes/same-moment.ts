import type { Timestamp } from "@bufbuild/protobuf/wkt";

/** Compares to the nanosecond, because JavaScript dates don't distinguish changes within a millisecond. */
export function isSameMoment(one: Timestamp | undefined, other: Timestamp | undefined): boolean {
  return one?.seconds === other?.seconds && one?.nanos === other?.nanos;
}
