import { Link } from "@tanstack/react-router";
import { OrganizationLink, ProjectLink } from "../parts/links.tsx";
import { Moment } from "../parts/moment.tsx";
import { historyWords as words } from "../words/history.ts";
import { Actor } from "./actor.tsx";
import { changeOf } from "./change.ts";
import { ChangeOfEntry } from "./change-of-entry.tsx";
import { ChangedThing } from "./changed-thing.tsx";
import { type Entry, isOfAssignment } from "./entry.ts";
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
  const { project, organization } = changeOf(entry).places;
  return (
    <tr data-member={isMember || undefined}>
      <td data-column="when">{!isMember && <Moment at={entry.time} />}</td>
      <td data-column="who">{!isMember && <Actor of={entry} />}</td>
      <td data-column="what">
        <ChangeOfEntry entry={entry} names={names} />
        {!isMember && <Reason of={entry} />}
      </td>
      <td data-column="about">
        <ChangedThing entry={entry} names={names} />
      </td>
      <td data-column="project">{project && <ProjectLink project={names.projectOf(project)} />}</td>
      <td data-column="organization">
        {organization && <OrganizationLink organization={names.organizationOf(organization)} />}
      </td>
      <td data-column="more">{isOfAssignment(entry) && <WaysToAssignment id={entry.authorizationId} />}</td>
    </tr>
  );
}

function WaysToAssignment({ id }: { id: string }) {
  return (
    <>
      <Link to="/assignments" search={{ id }}>
        {words.openAssignment}
      </Link>
      <Link to="/history" search={{ assignment: id }}>
        {words.allOfAssignment[0]}
        <span className="visually-hidden">{words.allOfAssignment[1]}</span>
      </Link>
    </>
  );
}
