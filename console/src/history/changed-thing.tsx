import type { DirectoryEvent } from "@authorization-service/client/directory";
import { OrganizationLink, PersonLink, ProjectLink, personName, RoleLink } from "../parts/links.tsx";
import { nameOf } from "../parts/role-chips.tsx";
import { directoryHistoryWords } from "../words/directory-history.ts";
import { historyWords as words } from "../words/history.ts";
import { titleOfType } from "./change.ts";
import { directoryChangeOf } from "./differences.ts";
import { type Entry, isOfAssignment } from "./entry.ts";
import type { Names } from "./names.ts";

/** What a change of the directory is about. It leads to the page about it, unless it was removed. */
export function ChangedThing({ event: { before, after }, names }: { event: DirectoryEvent; names: Names }) {
  const thing = (after ?? before)?.thing;
  switch (thing?.case) {
    case "user":
      return <Person id={thing.value.id} names={names} name={personName(thing.value)} />;
    case "administrator":
    case "token":
      return <Person id={thing.value.userId} names={names} />;
    case "organization":
      return after ? <OrganizationLink organization={thing.value} /> : <bdi>{thing.value.name}</bdi>;
    case "project":
      return after ? <ProjectLink project={thing.value} /> : <bdi>{thing.value.name}</bdi>;
    case "projectRole":
      return after ? (
        <RoleLink projectId={thing.value.projectId} role={thing.value} />
      ) : (
        <bdi>{nameOf(thing.value)}</bdi>
      );
    case "projectGrant":
      return <ProjectLink project={names.projectOf(thing.value.projectId)} />;
    default:
      return null;
  }
}

function Person({ id, names, name = words.someone }: { id: string; names: Names; name?: string }) {
  const user = names.userOf(id);
  return user ? <PersonLink user={user} /> : <bdi>{name}</bdi>;
}

/** The names of kinds are in the singular here, such as "Person added". */
export function titleOf(entry: Entry): string {
  if (isOfAssignment(entry)) return titleOfType(entry);
  const { kind, effect } = directoryChangeOf(entry);
  return kind === undefined ? "" : directoryHistoryWords.titles[kind][effect];
}
