import { type Authorization, State } from "@authorization-service/client";
import { DirectoryService } from "@authorization-service/client/directory";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { isOwned } from "../assignments/columns.tsx";
import { inUtc, Moment } from "../parts/moment.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { assignmentWords } from "../words/assignments.ts";
import { CopyButton } from "./copy-button.tsx";

/** The user, the place and the dates, with links to similar assignments. */
export function Details({ authorization }: { authorization: Authorization }) {
  const { user, organization, project, state, creationDate, changeDate } = authorization;
  const nameOfOrganization = useOrganizationNames(authorization);
  return (
    <section>
      <h3>Details</h3>
      <dl className="facts">
        <dt>Login name</dt>
        <dd>{user?.preferredLoginName}</dd>
        <dt>User belongs to</dt>
        <dd>{nameOfOrganization(user?.organizationId)}</dd>
        <dt>Organization</dt>
        <dd>{organization?.name || organization?.id}</dd>
        <dt>Project</dt>
        <dd>
          {project?.name || project?.id}{" "}
          <span className="muted">
            {isOwned(authorization)
              ? "owned by this organization"
              : `granted to it by ${nameOfOrganization(project?.organizationId)}`}
          </span>
        </dd>
        <dt>State</dt>
        <dd>
          <StateBadge state={state} />{" "}
          {state === State.INACTIVE && <span className="muted">the roles are kept, but not in force</span>}
        </dd>
        <dt>Created</dt>
        <dd>
          <MomentInUtc at={creationDate} />
        </dd>
        <dt>Changed</dt>
        <dd>
          <MomentInUtc at={changeDate} />
        </dd>
      </dl>
      <Ids authorization={authorization} />
      <Ways authorization={authorization} />
    </section>
  );
}

function MomentInUtc({ at }: { at: Timestamp | undefined }) {
  return (
    <>
      <Moment at={at} /> <span className="muted utc">{at && inUtc(at)}</span>
    </>
  );
}

function Ids({ authorization: { id, user, project, organization } }: { authorization: Authorization }) {
  const ids = { Assignment: id, User: user?.id, Project: project?.id, Organization: organization?.id };
  return (
    <details>
      <summary>Ids</summary>
      <dl className="facts">
        {Object.entries(ids).map(([name, value]) => (
          <div key={name} className="fact">
            <dt>{name}</dt>
            <dd className="id">
              <code>{value}</code> <CopyButton text={value ?? ""} what={`the id of the ${name.toLowerCase()}`} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** Links to similar assignments. */
function Ways({ authorization: { user, project, organization } }: { authorization: Authorization }) {
  if (!user || !project || !organization) return null;
  return (
    <ul className="ways">
      <li>
        <Link to="/" search={{ filters: [{ userId: { id: user.id } }] }}>
          All assignments of this user
        </Link>
      </li>
      <li>
        <Link to="/" search={{ filters: [{ projectId: { id: project.id } }] }}>
          All assignments in this project
        </Link>
      </li>
      <li>
        <Link to="/" search={{ filters: [{ organizationId: { id: organization.id } }] }}>
          All assignments in this organization
        </Link>
      </li>
      <li>
        <Link to="/history" search={{ user: user.id }}>
          History of this user
        </Link>
      </li>
    </ul>
  );
}

/** The names of organizations of which the assignment has only ids, as far as the reader may know them. */
function useOrganizationNames({ user, project, organization }: Authorization) {
  const ids = [user?.organizationId, project?.organizationId].filter((id) => id && id !== organization?.id) as string[];
  const { data, isLoading } = useQuery(
    DirectoryService.method.listOrganizations,
    { filters: [{ filter: { case: "ids", value: { ids: [...new Set(ids)] } } }], pagination: { skipTotal: true } },
    { enabled: ids.length > 0 },
  );
  const known = [...(data?.organizations ?? []), ...(organization ? [organization] : [])];
  return (id: string | undefined) =>
    known.find((one) => one.id === id)?.name || (id && !isLoading ? assignmentWords.anotherOrganization : undefined);
}
