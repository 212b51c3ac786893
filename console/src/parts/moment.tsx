import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { timestampDate } from "@bufbuild/protobuf/wkt";

const inZone = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const toSeconds = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });

/** A moment in the reader's zone; hovering tells it to the second, and in UTC. */
export function Moment({ at }: { at: Timestamp | undefined }) {
  if (at === undefined) return null;
  const date = timestampDate(at);
  return (
    <time dateTime={date.toISOString()} title={`${toSeconds.format(date)}\n${inUtc(at)}`}>
      {inZone.format(date)}
    </time>
  );
}

/** A moment to the second, in UTC. */
export function inUtc(at: Timestamp): string {
  return `${timestampDate(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
