import { type DescField, isMessage } from "@bufbuild/protobuf";
import type { PathBuilder, ReflectMessage } from "@bufbuild/protobuf/reflect";
import { type Duration, DurationSchema, type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { Violation } from "@bufbuild/protovalidate";
import { type Authorization, AuthorizationSchema, ChangeSchema } from "../../../gen/service/directory/v1/change_pb.ts";
import { isStorable } from "../../authorization/storable.ts";
import { toNanoseconds } from "../messages/timestamps.ts";

/**
 * Finds texts and times that protobuf or JSON allow but Postgres can't store. Yields undefined after each item of a
 * list.
 */
export function* unstorable(message: ReflectMessage, path: PathBuilder): Generator<Violation | undefined> {
  if (isMessage(message.message, TimestampSchema)) return yield* impossibleTime(message.message, path);
  if (isMessage(message.message, DurationSchema)) return yield* impossibleDuration(message.message, path);
  for (const field of message.fields) {
    if (!message.isSet(field)) continue;
    const here = path.clone().field(field);
    if (field.fieldKind === "scalar") {
      if (isUnstorable(message.get(field))) yield unstorableText(here);
    } else if (field.fieldKind === "message") {
      yield* unstorable(message.get(field), here);
      if (field.name === "expiration_date") yield* unstorableEnd(message.get(field).message as Timestamp, here);
    } else if (field.fieldKind === "list") {
      for (const [index, item] of message.get(field).entries()) {
        const there = () => here.clone().list(index);
        if (field.listKind === "message") {
          yield* unstorable(item as ReflectMessage, there());
          yield;
        } else if (isUnstorable(item)) yield unstorableText(there());
      }
    }
  }
  if (isMessage(message.message, AuthorizationSchema)) yield* unstorableDates(message.message, path);
}

const isUnstorable = (value: unknown) => typeof value === "string" && !isStorable(value);

function unstorableText(path: PathBuilder): Violation {
  const message = "must not contain a NUL character or a lone surrogate";
  return new Violation(message, "string.storable", path.toPath(), [], false);
}

/** Lists sort authorizations without an end as if they ended before or after all others. */
function* unstorableEnd(date: Timestamp, path: PathBuilder): Generator<Violation> {
  const refused = (rule: string, message: string) => new Violation(message, rule, path.toPath(), [], false);
  if (isFiner(date)) yield refused("timestamp.microseconds", tooFine);
  if (isOnLastDay(date)) yield refused("timestamp.lt", "must be before 9999-12-31");
  const isFirst = date.seconds === firstSecond && date.nanos === 0;
  if (isFirst) yield refused("timestamp.gt", "must be after 0001-01-01T00:00:00Z");
}

/** Reading JSON checks this already, but the binary format can hold any number. */
function* impossibleTime({ seconds, nanos }: Timestamp, path: PathBuilder): Generator<Violation> {
  if (seconds >= firstSecond && seconds <= lastSecond && nanos >= 0 && nanos <= 999_999_999) return;
  yield new Violation("must be a time in the years 1 to 9999", "timestamp.possible", path.toPath(), [], false);
}

/** The same for a duration, whose parts must also have the same sign. */
function* impossibleDuration({ seconds, nanos }: Duration, path: PathBuilder): Generator<Violation> {
  const isWithin = seconds >= -mostSeconds && seconds <= mostSeconds && nanos >= -999_999_999 && nanos <= 999_999_999;
  if (isWithin && (nanos === 0 || seconds === 0n || nanos > 0 === seconds > 0n)) return;
  yield new Violation("must be a duration of at most 10000 years", "duration.possible", path.toPath(), [], false);
}

const tooFine = "must not be more precise than a microsecond";

/**
 * Only these dates and ends are stored as sent. All other dates are only compared with stored ones. A line of an import may have
 * any date that later changes have led to.
 */
function* unstorableDates({ creationDate, changeDate }: Authorization, path: PathBuilder): Generator<Violation> {
  const refused = (field: DescField, rule: string, message: string) =>
    new Violation(message, rule, path.clone().field(field).toPath(), [], false);
  const { field } = AuthorizationSchema;
  const noRoom = "must be before 9999-12-31, so that a later change can have a date";
  if (isFiner(creationDate)) yield refused(field.creationDate, "timestamp.microseconds", tooFine);
  if (isFiner(changeDate)) yield refused(field.changeDate, "timestamp.microseconds", tooFine);
  if (path.schema.typeName !== ChangeSchema.typeName) {
    if (isOnLastDay(creationDate)) yield refused(field.creationDate, "timestamp.room_after", noRoom);
    if (isOnLastDay(changeDate)) yield refused(field.changeDate, "timestamp.room_after", noRoom);
  }
  if (creationDate && changeDate && toNanoseconds(changeDate) < toNanoseconds(creationDate)) {
    yield refused(field.changeDate, "timestamp.after_creation", "must not be before creationDate");
  }
}

function isFiner(date: Timestamp | undefined): boolean {
  return date !== undefined && date.nanos % 1_000 !== 0;
}

function isOnLastDay(date: Timestamp | undefined): boolean {
  return date !== undefined && date.seconds >= lastDay && date.seconds <= lastSecond;
}

const mostSeconds = 315_576_000_000n;
const firstSecond = -62_135_596_800n;
const lastSecond = 253_402_300_799n;
const lastDay = lastSecond + 1n - 86_400n;
