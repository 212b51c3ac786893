import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { timestampDate } from "@bufbuild/protobuf/wkt";

const inZone = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const toSeconds = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });

/** A moment in the reader's zone; hovering tells it to the second, and in UTC. */
export function Moment({ at }: { at: Timestamp | undefined }) {
  if (at === undefined) return null;
  const date = timestampDate(at);
  const utc = date.toISOString();
  return (
    <time dateTime={utc} title={`${toSeconds.format(date)}\n${utc.slice(0, 19).replace("T", " ")} UTC`}>
      {inZone.format(date)}
    </time>
  );
}
