import { type ThingKind, thingKinds } from "../directory/history.ts";
import { type EventThing, readThing } from "./event-thing.ts";
import {
  type Fields,
  id,
  oneOf,
  orNull,
  type Rule,
  requireFields,
  sequence,
  text,
  textOf,
  time,
  uuid,
} from "./line-rules.ts";

/** Reads an event of the directory. Throws an error whose message says what is wrong with it. */
export function readDirectoryEvent(value: unknown): Fields {
  requireFields("directoryEvent", value, fields);
  const kind = value.kind as ThingKind;
  const [before, after] = [readImage("before", kind, value.before), readImage("after", kind, value.after)];
  const [thing, other] = [before, after].filter((one) => one !== null);
  if (thing === undefined) throw new Error("directoryEvent.before or directoryEvent.after must be set");
  if (other !== undefined) requireChange(kind, thing, other);
  for (const [name, expected] of Object.entries(thing.named)) {
    if (value[name] !== expected) {
      throw new Error(
        `directoryEvent.${name} must be ${JSON.stringify(expected)}, as in directoryEvent.${before === null ? "after" : "before"}`,
      );
    }
  }
  requirePlaces(value.places as readonly Place[], thing, other);
  return { ...value, before: before?.image ?? null, after: after?.image ?? null };
}

type Place = { readonly kind: string; readonly id: string };

const place: Readonly<Record<string, Rule>> = { kind: oneOf(["organization", "project", "projectGrant"]), id };

const fields: Readonly<Record<string, Rule>> = {
  sequence,
  time,
  kind: oneOf(thingKinds),
  id: text,
  within: text,
  userId: orNull(text),
  actorId: orNull(id),
  requestId: uuid,
  reason: textOf(0, 500),
  before: () => undefined,
  after: () => undefined,
  places(value) {
    if (!Array.isArray(value)) return "must be a list";
    for (const one of value) requireFields("directoryEvent.places", one, place);
    return undefined;
  },
};

function readImage(name: "before" | "after", kind: ThingKind, image: unknown): EventThing | null {
  if (image === null) return null;
  try {
    return readThing(kind, image);
  } catch (error) {
    throw new Error(`directoryEvent.${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A change of a thing that was there before and after it. */
function requireChange(kind: ThingKind, before: EventThing, after: EventThing): void {
  if (kind === "token") throw new Error("directoryEvent.before or directoryEvent.after must be null for a token");
  if (JSON.stringify(before.named) !== JSON.stringify(after.named)) {
    throw new Error("directoryEvent.before and directoryEvent.after must be the same thing");
  }
  if (JSON.stringify(before.image) === JSON.stringify(after.image)) {
    throw new Error("directoryEvent.before and directoryEvent.after must differ");
  }
  const changed = before.fixed.find((name) => before.image[name] !== after.image[name]);
  if (changed !== undefined) throw new Error(`directoryEvent.after.${changed} must be as before: it never changes`);
}

/** Everyone with rights in a place sees the event. */
function requirePlaces(places: readonly Place[], ...things: readonly (EventThing | undefined)[]): void {
  const given = new Set(places.map((one) => `${one.kind}:${one.id}`));
  const expected = new Set(things.flatMap((thing) => thing?.places ?? []));
  const missing = [...expected].find((one) => !given.has(one));
  if (missing !== undefined) throw new Error(`directoryEvent.places must contain ${missing}`);
  const others = [...given].filter((one) => !expected.has(one));
  const isInAnother = things.some((thing) => thing?.isInAnother);
  if (others.length === (isInAnother ? 1 : 0) && others.every((one) => one.startsWith("organization:"))) return;
  throw new Error(
    isInAnother
      ? "directoryEvent.places must contain one more organization: the one that it is in"
      : `directoryEvent.places must not contain ${others[0]}`,
  );
}
