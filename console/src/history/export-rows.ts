import { type AuthorizationEvent, State } from "@authorization-service/client";
import type { DirectoryEvent } from "@authorization-service/client/directory";
import { written } from "../export/rows.ts";
import { personName } from "../parts/links.tsx";
import { nameOf } from "../parts/role-chips.tsx";
import { directoryHistoryWords } from "../words/directory-history.ts";
import { historyWords } from "../words/history.ts";
import { pageWords } from "../words/pages.ts";
import { titleOf } from "./changed-thing.tsx";
import { directoryChangeOf, onlyIn, type Value } from "./differences.ts";
import { type Entry, isOfAssignment } from "./entry.ts";
import { knownOrganization, knownProject, knownUser } from "./known.ts";
import type { Names } from "./names.ts";

const words = historyWords.export;

type Row = Partial<Record<keyof typeof words.columns, string | undefined>>;

const columns = Object.keys(words.columns) as (keyof typeof words.columns)[];

export const header = Object.values(words.columns);

/** An event as a line of the file: with names for people, and ids for programs. */
export function rowOf(entry: Entry, names: Names): string[] {
  const { time, actor, reason, requestId } = entry;
  const row: Row = {
    time: written(time),
    actorId: actor?.id,
    actor: actor ? personName(actor) : historyWords.commandLine,
    reason,
    requestId,
    what: titleOf(entry),
    ...(isOfAssignment(entry) ? ofAssignment(entry, names) : ofDirectory(entry, names)),
  };
  return columns.map((column) => row[column] ?? "");
}

function ofAssignment(event: AuthorizationEvent, names: Names): Row {
  const { user, project, organization, roles, roleKeysBefore, state, stateBefore } = event;
  const known = knownUser(event);
  return {
    kind: words.assignment,
    assignmentId: event.authorizationId,
    personId: user?.id,
    person: known && personName(known),
    projectId: project?.id,
    project: knownProject(event)?.name,
    organizationId: organization?.id,
    organization: knownOrganization(event)?.name,
    before: assignmentText(
      roleKeysBefore.map((key) => roles.find((role) => role.key === key) ?? names.roleOf(project?.id, key)),
      stateBefore,
    ),
    after: assignmentText(roles, state),
  };
}

function assignmentText(roles: readonly Parameters<typeof nameOf>[0][], state: State): string {
  if (state === State.UNSPECIFIED) return "";
  return joined([
    [directoryHistoryWords.fields.roles, roles.map(nameOf).join(", ")],
    [words.state, state === State.ACTIVE ? words.states.active : words.states.inactive],
  ]);
}

function ofDirectory(event: DirectoryEvent, names: Names): Row {
  const { kind, effect, differences, places } = directoryChangeOf(event);
  const thing = (event.after ?? event.before)?.thing;
  const personId = thing?.case === "user" ? thing.value.id : places.user;
  const person = names.userOf(personId ?? "");
  const organizationId = thing?.case === "organization" ? thing.value.id : places.organization;
  const projectId = thing?.case === "project" ? thing.value.id : places.project;
  const text = (which: "before" | "after") =>
    joined(
      differences.map(({ field, before, after }) => {
        const [value, other] = which === "before" ? [before, after] : [after, before];
        // Lists of roles can be long, so a change has only what differs.
        return [directoryHistoryWords.fields[field], inWords(value, effect === 1 ? other : undefined, names)];
      }),
    );
  return {
    kind: kind && words.kinds[kind],
    personId,
    person: person ? personName(person) : thing?.case === "user" ? personName(thing.value) : undefined,
    projectId,
    project: thing?.case === "project" ? thing.value.name : names.projectOf(projectId ?? "")?.name,
    organizationId,
    organization: thing?.case === "organization" ? thing.value.name : names.organizationOf(organizationId ?? "")?.name,
    before: text("before"),
    after: text("after"),
  };
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

function joined(fields: readonly (readonly [name: string, value: string])[]): string {
  return fields
    .filter(([, value]) => value !== "")
    .map(([name, value]) => words.field(name, value))
    .join("; ");
}
