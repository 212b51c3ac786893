import type { AuthorizationEvent } from "@authorization-service/client";
import type { DirectoryEvent } from "@authorization-service/client/directory";
import { Link } from "@tanstack/react-router";
import { OrganizationLink, PersonLink, ProjectLink } from "../parts/links.tsx";
import { Moment } from "../parts/moment.tsx";
import { historyWords as words } from "../words/history.ts";
import { Actor } from "./actor.tsx";
import { ChangeOfEntry } from "./change-of-entry.tsx";
import { ChangedThing } from "./changed-thing.tsx";
import { directoryChangeOf } from "./differences.ts";
import { type Entry, isOfAssignment } from "./entry.ts";
import { knownOrganization, knownProject, knownUser } from "./known.ts";
import type { Names } from "./names.ts";
import { Reason } from "./reason.tsx";

type Props = {
  entry: Entry;
  names: Names;
  /** Whether the row above says when, who and why. */
  isMember?: boolean;
};

/** One change, with links to what it is about. */
export function EntryRow({ entry, names, isMember = false }: Props) {
  return (
    <tr data-member={isMember || undefined}>
      <td data-column="when">{!isMember && <Moment at={entry.time} />}</td>
      <td data-column="who">{!isMember && <Actor of={entry} />}</td>
      <td data-column="what">
        <ChangeOfEntry entry={entry} names={names} />
        {!isMember && <Reason of={entry} />}
      </td>
      {isOfAssignment(entry) ? <AssignmentCells event={entry} /> : <DirectoryCells event={entry} names={names} />}
    </tr>
  );
}

function AssignmentCells({ event }: { event: AuthorizationEvent }) {
  const user = knownUser(event);
  return (
    <>
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
        <Link to="/" search={{ id: event.authorizationId }}>
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

function DirectoryCells({ event, names }: { event: DirectoryEvent; names: Names }) {
  const { project, organization } = directoryChangeOf(event).places;
  return (
    <>
      <td data-column="about">
        <ChangedThing event={event} names={names} />
      </td>
      <td data-column="project">{project && <ProjectLink project={names.projectOf(project)} />}</td>
      <td data-column="organization">
        {organization && <OrganizationLink organization={names.organizationOf(organization)} />}
      </td>
      <td data-column="more" />
    </>
  );
}
