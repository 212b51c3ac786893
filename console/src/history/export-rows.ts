import { written } from "../export/rows.ts";
import { personName } from "../parts/links.tsx";
import { nameOf } from "../parts/role-chips.tsx";
import { directoryHistoryWords } from "../words/directory-history.ts";
import { historyWords } from "../words/history.ts";
import { pageWords } from "../words/pages.ts";
import { changeOf, onlyIn, type Value } from "./change.ts";
import { type Entry, isOfAssignment } from "./entry.ts";
import type { Names } from "./names.ts";

const words = historyWords.export;

type Row = Record<keyof typeof words.columns, string | undefined>;

const columns = Object.keys(words.columns) as (keyof typeof words.columns)[];

export const header = Object.values(words.columns);

/** An event as a line of the file: with names for people, and ids for programs. */
export function rowOf(entry: Entry, names: Names): string[] {
  const { time, actor, reason, requestId } = entry;
  const { title, effect, differences, places } = changeOf(entry);
  const isAssignment = isOfAssignment(entry);
  const thing = isAssignment ? undefined : (entry.after ?? entry.before)?.thing;
  const personId = thing?.case === "user" ? thing.value.id : places.user;
  const projectId = thing?.case === "project" ? thing.value.id : places.project;
  const organizationId = thing?.case === "organization" ? thing.value.id : places.organization;
  const person = names.userOf(personId ?? "");
  // Lists of roles can be long, so a change of the directory has only what differs.
  const isWhole = isAssignment || effect !== 1;
  const text = (which: "before" | "after", other: "before" | "after") =>
    differences
      .map(({ field, ...values }) => [
        directoryHistoryWords.fields[field],
        inWords(values[which], isWhole ? undefined : values[other], names),
      ])
      .filter(([, value]) => value !== "")
      .map(([field = "", value = ""]) => words.field(field, value))
      .join("; ");
  const row: Row = {
    time: written(time),
    kind: isAssignment ? words.assignment : thing?.case && words.kinds[thing.case],
    what: title,
    actorId: actor?.id,
    actor: actor ? personName(actor) : historyWords.commandLine,
    reason,
    requestId,
    assignmentId: isAssignment ? entry.authorizationId : undefined,
    personId,
    person: person && personName(person),
    projectId,
    project: names.projectOf(projectId ?? "")?.name,
    organizationId,
    organization: names.organizationOf(organizationId ?? "")?.name,
    before: text("before", "after"),
    after: text("after", "before"),
  };
  return columns.map((column) => row[column] ?? "");
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
    case "user": {
      const user = names.userOf(value.id);
      return user ? personName(user) : directoryHistoryWords.someone;
    }
    case "organization":
      return names.organizationOf(value.id)?.name ?? pageWords.anotherOrganization;
    case "project":
      return names.projectOf(value.id)?.name ?? pageWords.anotherProject;
    case "instance":
      return directoryHistoryWords.everything;
    case "grant":
      return directoryHistoryWords.grant;
    default:
      return "";
  }
}
