import type { AuthorizationEvent } from "@authorization-service/client";
import type { DirectoryEvent } from "@authorization-service/client/directory";
import { Link } from "@tanstack/react-router";
import { directoryChangeOf, type Value } from "../directory-history/differences.ts";
import { DirectoryChange } from "../directory-history/directory-change.tsx";
import type { Names } from "../directory-history/names.ts";
import { OrganizationLink, PersonLink, ProjectLink } from "../parts/links.tsx";
import { Moment } from "../parts/moment.tsx";
import { historyWords as words } from "../words/history.ts";
import { Actor } from "./actor.tsx";
import { ChangedThing } from "./changed-thing.tsx";
import type { Entry } from "./entry.ts";
import { EventChange } from "./event-change.tsx";
import { knownOrganization, knownProject, knownUser } from "./known.ts";
import { Reason } from "./reason.tsx";

type Props = {
  entry: Entry;
  names: Names;
  /** Whether the row above says when, who and why. */
  isMember?: boolean;
};

/** One change, with links to what it is about. */
export function EntryRow({ entry, names, isMember = false }: Props) {
  const { event } = entry;
  return (
    <tr data-member={isMember || undefined}>
      <td data-column="when">{!isMember && <Moment at={event.time} />}</td>
      <td data-column="who">{!isMember && <Actor of={event} />}</td>
      {entry.of === "assignment" ? (
        <AssignmentCells event={entry.event} names={names} isMember={isMember} />
      ) : (
        <DirectoryCells event={entry.event} names={names} isMember={isMember} />
      )}
    </tr>
  );
}

type CellsProps<Event> = { event: Event; names: Names; isMember: boolean };

function AssignmentCells({ event, names, isMember }: CellsProps<AuthorizationEvent>) {
  const user = knownUser(event);
  return (
    <>
      <td data-column="what">
        <EventChange event={event} nameRole={names.roleOf} />
        {!isMember && <Reason of={event} />}
      </td>
      <td data-column="about">
        {user ? <PersonLink user={user} /> : words.someone}
        <bdi className="muted">{user?.preferredLoginName}</bdi>
      </td>
      <td data-column="project">
        <ProjectLink project={knownProject(event)} />
      </td>
      <td data-column="organization">
        <OrganizationLink organization={knownOrganization(event)} />
      </td>
      <td data-column="more">
        <Link to="/assignments" search={{ id: event.authorizationId }}>
          {words.openAssignment}
        </Link>
        <Link to="/history" search={{ assignment: event.authorizationId }}>
          {words.allOfAssignment[0]}
          <span className="visually-hidden">{words.allOfAssignment[1]}</span>
        </Link>
      </td>
    </>
  );
}

function DirectoryCells({ event, names, isMember }: CellsProps<DirectoryEvent>) {
  const { places } = directoryChangeOf(event);
  return (
    <>
      <td data-column="what">
        <DirectoryChange event={event} names={names} />
        {!isMember && <Reason of={event} />}
      </td>
      <td data-column="about">
        <ChangedThing event={event} names={names} />
      </td>
      <td data-column="project">{places.project && <ProjectLink project={names.projectOf(idOf(places.project))} />}</td>
      <td data-column="organization">
        {places.organization && <OrganizationLink organization={names.organizationOf(idOf(places.organization))} />}
      </td>
      <td data-column="more" />
    </>
  );
}

function idOf(value: Value): string {
  return "id" in value ? value.id : "";
}
