import { OrganizationLink, PersonLink, ProjectLink, personName, RoleLink } from "../parts/links.tsx";
import { nameOf } from "../parts/role-chips.tsx";
import { historyWords as words } from "../words/history.ts";
import { type Entry, isOfAssignment } from "./entry.ts";
import type { Names } from "./names.ts";

/** What a change is about. It leads to the page about it, unless it was removed. */
export function ChangedThing({ entry, names }: { entry: Entry; names: Names }) {
  if (isOfAssignment(entry)) return <Person id={entry.user?.id ?? ""} names={names} />;
  const { before, after } = entry;
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
  if (user === undefined) return <bdi>{name}</bdi>;
  return (
    <>
      <PersonLink user={user} />
      <bdi className="muted">{user.preferredLoginName}</bdi>
    </>
  );
}
