import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { fromJson } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import type pg from "pg";
import { eventTypes } from "../authorization/event.ts";
import type { EventFilter } from "../authorization/history.ts";
import type { Config } from "../config/config.ts";
import { type DirectoryEventFilter, thingKinds } from "../directory/history.ts";
import {
  assignmentHistory,
  directoryHistory,
  followHistory,
  type History,
  readHistory,
} from "../postgres/history/read-history.ts";
import { streamOf } from "../postgres/pool/give-up.ts";
import { withOwnConnection } from "../postgres/pool/own-connection.ts";
import { nextInstant } from "../rpc/messages/timestamps.ts";
import { CommandError } from "./command-error.ts";
import { linesOf } from "./history-lines.ts";
import { write } from "./output.ts";
import { onPostgres, requireSchema, tell } from "./postgres.ts";

/** The filters are those of the API. */
export type EventsOptions = { readonly directory: boolean; readonly follow: boolean } & {
  readonly [filter in keyof typeof idFilters | "authorization" | "id" | "kind" | "from" | "to"]?: string;
};

/** Prints the events of a history as newline-delimited JSON, oldest first. */
export function printEvents(config: Config, options: EventsOptions): Promise<void> {
  const history = options.directory
    ? directoryHistory(filtersOf(options, directoryFilters))
    : assignmentHistory(filtersOf(options, assignmentFilters));
  return onPostgres(config, "events", async (postgres) => {
    await requireSchema(config, postgres);
    await withOwnConnection(postgres.connection, async (client) => {
      // It would be followed without an end if it hangs, or lives on alone.
      if (options.follow) postgres.hosts?.watch(() => streamOf(client).destroy());
      if (options.follow) return follow(client, history);
      let isEmpty = true;
      await client.query("begin isolation level repeatable read read only");
      for await (const events of readHistory(client, history)) {
        await write(linesOf(events));
        isEmpty = false;
      }
      if (isEmpty) tell("No event matches.");
    });
  });
}

/** How long to wait until the next look, in milliseconds. */
const pauseMs = 200;

/** Prints the events so far, and then new ones, until Ctrl-C or SIGTERM. */
async function follow(client: pg.ClientBase, history: History): Promise<void> {
  const printAll = async () => {
    for await (const some of followHistory(client, history, () => setTimeout(pauseMs))) await write(linesOf(some));
  };
  await Promise.race([printAll(), once(process, "SIGINT"), once(process, "SIGTERM")]);
}

type Kind = (DirectoryEventFilter | EventFilter)["kind"];

/** The options that are filters of one id, with the kinds of these filters. */
const idFilters = { user: "userId", actor: "actorId", organization: "organizationId", project: "projectId" } as const;
const assignmentFilters = { ids: { ...idFilters, authorization: "authorizationId" }, kinds: eventTypes } as const;
const directoryFilters = { ids: { ...idFilters, id: "id" }, kinds: thingKinds } as const;

/** Throws for an option that the history doesn't have. */
function filtersOf<Id extends Kind, Type extends string>(
  options: EventsOptions,
  { ids, kinds }: { readonly ids: Readonly<Record<string, Id>>; readonly kinds: readonly Type[] },
) {
  const { directory, follow: _follow, kind, from, to, ...given } = options;
  const filters = Object.entries(given).map(([option, id]) => {
    const name = ids[option];
    if (name !== undefined) return { kind: name, id };
    throw new CommandError(`--${option} can't be used ${directory ? "with" : "without"} --directory.`);
  });
  const types = kind?.split(",").map((one) => typeOf(one.trim(), kinds));
  return [
    ...filters,
    ...(types === undefined ? [] : [{ kind: "types" as const, types }]),
    ...(from === undefined && to === undefined
      ? []
      : [{ kind: "time" as const, range: { from: timeOf("--from", from), to: timeOf("--to", to) } }]),
  ];
}

/** The types of assignments' events are also known without what all of them begin with. */
function typeOf<Type extends string>(name: string, kinds: readonly Type[]): Type {
  const found = kinds.find((kind) => kind === name || kind === `user.grant.${name}`);
  if (found !== undefined) return found;
  const names = kinds.map((kind) => kind.replace("user.grant.", "")).join(", ");
  throw new CommandError(`--kind must be some of ${names}, separated by commas, got "${name}".`);
}

/** Reads a time as requests have it in JSON. */
function timeOf(option: string, text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  try {
    return nextInstant(fromJson(TimestampSchema, text));
  } catch {
    throw new CommandError(`${option} must be a time such as 2026-01-31T08:00:00Z, got "${text}".`);
  }
}
