import {
  type AuthorizationEvent,
  AuthorizationEventSchema,
  type ListAuthorizationEventsRequest,
} from "@authorization-service/client";
import {
  type DirectoryEvent,
  DirectoryEventSchema,
  type ListDirectoryEventsRequest,
} from "@authorization-service/client/directory";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { Entry } from "../../src/history/entry.ts";
import { isBehind, positionOf } from "../../src/history/entry.ts";
import { type Ask, type Reader, readerOf } from "../../src/history/readers.ts";

export const bob = {
  id: "bob",
  displayName: "Bob",
  preferredLoginName: "bob@globex.example",
  organizationId: "globex",
};
export const carol = { id: "carol", displayName: "Carol", preferredLoginName: "carol@acme.example" };
export const acme = { id: "acme", name: "Acme" };
export const globex = { id: "globex", name: "Globex" };
export const shop = { id: "shop", name: "Shop", organizationId: "acme" };

type ToldAssignment = Exclude<MessageInitShape<typeof AuthorizationEventSchema>, AuthorizationEvent>;
type ToldDirectory = Exclude<MessageInitShape<typeof DirectoryEventSchema>, DirectoryEvent>;

/** A moment of January 2026. */
export function at(day: number, microseconds = 0): Pick<Timestamp, "seconds" | "nanos"> {
  return { seconds: BigInt(Date.UTC(2026, 0, day) / 1_000), nanos: microseconds * 1_000 };
}

/** A change of Bob's roles, made by Carol on the day of its sequence. */
export function assigned(sequence: number, told: ToldAssignment = {}): AuthorizationEvent {
  return create(AuthorizationEventSchema, {
    sequence: BigInt(sequence),
    time: at(sequence),
    type: "user.grant.changed",
    authorizationId: "a-1",
    user: bob,
    actor: carol,
    project: shop,
    organization: globex,
    requestId: `assignments ${sequence}`,
    ...told,
  });
}

/** A change of the directory, made by Carol on the day of its sequence. */
export function directed(sequence: number, told: ToldDirectory = {}): DirectoryEvent {
  return create(DirectoryEventSchema, {
    sequence: BigInt(sequence),
    time: at(sequence),
    actor: carol,
    requestId: `directory ${sequence}`,
    after: { thing: { case: "project", value: shop } },
    ...told,
  });
}

/** Both histories as the service answers them: newest first, without what is too late for a filter, in chunks. */
export function historiesOf(assignments: readonly AuthorizationEvent[], directory: readonly DirectoryEvent[]) {
  return {
    assignments: (request: ListAuthorizationEventsRequest) => chunkOf(assignments, request),
    directory: (request: ListDirectoryEventsRequest) => chunkOf(directory, request),
  };
}

type Request = {
  readonly filters: readonly { readonly filter: { readonly case?: string | undefined; readonly value?: unknown } }[];
  readonly pagination?: { readonly limit: number; readonly pageToken: string; readonly skipTotal: boolean } | undefined;
};

function chunkOf<Event extends AuthorizationEvent | DirectoryEvent>(
  events: readonly Event[],
  { filters, pagination }: Request,
) {
  const times = filters.flatMap(({ filter }) => (filter.case === "time" ? [filter.value as { to?: Timestamp }] : []));
  const microseconds = (event: Event) => positionOf(event).microseconds;
  const matching = events
    .filter((event) => times.every(({ to }) => to === undefined || microseconds(event) < inMicroseconds(to)))
    .toSorted((one, other) => (isBehind(positionOf(one), positionOf(other)) ? 1 : -1));
  const { limit = 100, pageToken = "", skipTotal = false } = pagination ?? {};
  // A token is the sequence of the last event, so new events don't move it.
  const start = pageToken === "" ? 0 : matching.findIndex(({ sequence }) => String(sequence) === pageToken) + 1;
  const page = matching.slice(start, start + limit);
  const isMore = start + limit < matching.length;
  return {
    events: page,
    pagination: {
      totalResult: skipTotal ? 0 : matching.length,
      nextPageToken: isMore ? String(page.at(-1)?.sequence) : "",
    },
  };
}

function inMicroseconds({ seconds, nanos }: Timestamp): bigint {
  return seconds * 1_000_000n + BigInt(nanos / 1_000);
}

/** Reads events in chunks of a size, behind a position. */
export function readerOfAll(
  entries: readonly Entry[],
  chunk: number,
  behind: Parameters<typeof readerOf>[1],
): Reader & { readonly asked: string[] } {
  const asked: string[] = [];
  const sorted = entries.toSorted((one, other) => (isBehind(positionOf(one), positionOf(other)) ? 1 : -1));
  const from = sorted.filter((entry) => behind === undefined || positionOf(entry).microseconds <= behind.microseconds);
  const ask: Ask = async ({ pageToken }) => {
    asked.push(pageToken);
    const start = Number(pageToken);
    const isMore = start + chunk < from.length;
    return {
      events: from.slice(start, start + chunk),
      pagination: { totalResult: from.length, nextPageToken: isMore ? String(start + chunk) : "" },
    };
  };
  return { ...readerOf(ask, behind), asked };
}
