import type { Transport } from "@connectrpc/connect";
import type { Exported, Rows } from "../export/export-list.ts";
import { patiently } from "../export/pages.ts";
import { written } from "../export/rows.ts";
import { personName } from "../parts/links.tsx";
import { nameOf } from "../parts/role-chips.tsx";
import { directoryHistoryWords } from "../words/directory-history.ts";
import { historyWords } from "../words/history.ts";
import { pageWords } from "../words/pages.ts";
import { type Change, changeOf, onlyIn, type Value } from "./change.ts";
import { type Entry, hasActor, isOfAssignment } from "./entry.ts";
import { lookUp, type Names, namesOf, unnamedIn } from "./names.ts";
import { merged, readersOf, type Send, totalOf } from "./readers.ts";
import type { HistorySearch } from "./search.ts";

const words = historyWords.export;

/** The file with everything that matches the filters, from the newest change to the oldest. */
export function historyFile(search: HistorySearch): Exported {
  return {
    file: words.file,
    of: words.of,
    header: Object.values(words.columns),
    rows: (transport, signal) => rowsOf(transport, search, signal),
  };
}

/** Fewer than the ids that a request takes, because an event names two things of one kind at most. */
const atOnce = 400;

async function* rowsOf(transport: Transport, search: HistorySearch, signal: AbortSignal): AsyncGenerator<Rows> {
  const send: Send = (ask) => patiently(ask, signal);
  const readers = readersOf({ transport, search, signal, send });
  let entries: Entry[] = [];
  const lines = async (): Promise<Rows> => {
    const names = namesOf(await lookUp(transport, unnamedIn(entries), signal, send), entries);
    const rows = entries.map((entry) =>
      Object.values(columns).map((cell) => cell(entry, changeOf(entry), names) ?? ""),
    );
    return { rows, total: totalOf(readers) };
  };
  for await (const entry of merged(readers)) {
    entries.push(entry);
    if (entries.length < atOnce) continue;
    yield await lines();
    entries = [];
  }
  yield await lines();
}

type Cell = (entry: Entry, change: Change, names: Names) => string | undefined;

/** An event as a line of the file: with names for people, and ids for programs. */
const columns: Record<keyof typeof words.columns, Cell> = {
  time: ({ time }) => written(time),
  kind: (entry) => (isOfAssignment(entry) ? words.assignment : kindOf(entry)),
  what: (_, { title }) => title,
  actorId: ({ actor }) => actor?.id,
  actor: (entry) => (entry.actor ? personName(entry.actor) : hasActor(entry) ? historyWords.commandLine : ""),
  reason: ({ reason }) => reason,
  requestId: ({ requestId }) => requestId,
  assignmentId: (entry) => (isOfAssignment(entry) ? entry.authorizationId : undefined),
  personId: (entry, change) => idOf("user", entry, change),
  person: (entry, change, names) => personIn(names, idOf("user", entry, change)),
  projectId: (entry, change) => idOf("project", entry, change),
  project: (entry, change, names) => names.projectOf(idOf("project", entry, change))?.name,
  organizationId: (entry, change) => idOf("organization", entry, change),
  organization: (entry, change, names) => names.organizationOf(idOf("organization", entry, change))?.name,
  before: (entry, change, names) => fieldsIn("before", "after", entry, change, names),
  after: (entry, change, names) => fieldsIn("after", "before", entry, change, names),
};

function thingOf(entry: Entry) {
  return isOfAssignment(entry) ? undefined : (entry.after ?? entry.before)?.thing;
}

function kindOf(entry: Entry): string | undefined {
  const kind = thingOf(entry)?.case;
  return kind && words.kinds[kind];
}

/** Of the thing of this kind that it changed, or that the changed thing is in or about. */
function idOf(kind: "user" | "project" | "organization", entry: Entry, { places }: Change): string {
  const thing = thingOf(entry);
  return (thing?.case === kind ? thing.value.id : places[kind]) ?? "";
}

function personIn(names: Names, id: string): string | undefined {
  const user = names.userOf(id);
  return user && personName(user);
}

function fieldsIn(
  which: "before" | "after",
  other: "before" | "after",
  entry: Entry,
  { effect, differences }: Change,
  names: Names,
): string {
  // Lists of roles can be long, so a change of the directory has only what differs.
  const isWhole = isOfAssignment(entry) || effect !== 1;
  return differences
    .map((one) => [
      directoryHistoryWords.fields[one.field],
      inWords(one[which], isWhole ? undefined : one[other], names),
    ])
    .filter(([, value]) => value !== "")
    .map(([field = "", value = ""]) => words.field(field, value))
    .join("; ");
}

function inWords(value: Value | undefined, other: Value | undefined, names: Names): string {
  switch (value?.kind) {
    case "text":
      return value.text;
    case "roles":
      return onlyIn(value, other)
        .map((key) => nameOf(names.roleOf(value.projectId, key)))
        .join(", ");
    case "moment":
      return written(value.at) ?? "";
    case "user":
      return personIn(names, value.id) ?? directoryHistoryWords.someone;
    case "organization":
      return names.organizationOf(value.id)?.name ?? pageWords.anotherOrganization;
    case "project":
      return names.projectOf(value.id)?.name ?? pageWords.anotherProject;
    default:
      return "";
  }
}
