import { type Authorization, State } from "@authorization-service/client";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { Link } from "@tanstack/react-router";
import { isOwned } from "../assignments/columns.tsx";
import { useOrganizations } from "../directory/organization-names.ts";
import { Facts } from "../parts/facts.tsx";
import { OrganizationLink, ProjectLink } from "../parts/links.tsx";
import { inUtc, Moment } from "../parts/moment.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { pageWords } from "../words/pages.ts";
import { panelWords as words } from "../words/panel.ts";
import { CopyButton } from "./copy-button.tsx";

/** The user, the place and the dates, with links to similar assignments. */
export function Details({ authorization }: { authorization: Authorization }) {
  const { user, organization, project, state, creationDate, changeDate, expirationDate: end } = authorization;
  const nameOfOrganization = useOrganizationNames(authorization);
  const grantedBy = isOwned(authorization)
    ? words.owned
    : words.grantedBy(nameOfOrganization(project?.organizationId) ?? "");
  return (
    <section>
      <h3>{words.details}</h3>
      <Facts
        facts={{
          [words.facts.loginName]: <>{user?.preferredLoginName}</>,
          [words.facts.belongsTo]: <>{nameOfOrganization(user?.organizationId)}</>,
          [words.facts.organization]: <OrganizationLink organization={organization} />,
          [words.facts.project]: (
            <>
              <ProjectLink project={project} /> <span className="muted">{grantedBy}</span>
            </>
          ),
          [words.facts.state]: (
            <>
              <StateBadge of={authorization} />
              {state === State.INACTIVE && <span className="muted">{words.notInForce}</span>}
            </>
          ),
          [authorization.expired ? words.facts.ended : words.facts.ends]: end && <MomentInUtc at={end} />,
          [words.facts.created]: <MomentInUtc at={creationDate} />,
          [words.facts.changed]: <MomentInUtc at={changeDate} />,
        }}
      />
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
  const { idNames } = words;
  const ofThing = (name: string, value = "") => (
    <>
      <code>{value}</code> <CopyButton text={value} what={words.idOf(name)} />
    </>
  );
  return (
    <details>
      <summary>{words.ids}</summary>
      <Facts
        facts={{
          [idNames.assignment]: ofThing(idNames.assignment, id),
          [idNames.user]: ofThing(idNames.user, user?.id),
          [idNames.project]: ofThing(idNames.project, project?.id),
          [idNames.organization]: ofThing(idNames.organization, organization?.id),
        }}
      />
    </details>
  );
}

/** Links to similar assignments. */
function Ways({ authorization: { user, project, organization } }: { authorization: Authorization }) {
  if (!user || !project || !organization) return null;
  const tables = [
    { way: words.ways.user, filter: { userId: { id: user.id } } },
    { way: words.ways.project, filter: { projectId: { id: project.id } } },
    { way: words.ways.organization, filter: { organizationId: { id: organization.id } } },
  ];
  return (
    <ul className="lines">
      <li>
        <Link to="/person" search={{ id: user.id }}>
          {words.ways.person}
        </Link>
      </li>
      {tables.map(({ way, filter }) => (
        <li key={way}>
          <Link to="/assignments" search={{ filters: [filter] }}>
            {way}
          </Link>
        </li>
      ))}
      <li>
        <Link to="/history" search={{ user: user.id }}>
          {words.ways.history}
        </Link>
      </li>
    </ul>
  );
}

/** The names of organizations of which the assignment has only ids, as far as the reader may know them. */
function useOrganizationNames({ user, project, organization }: Authorization) {
  const ids = [user?.organizationId, project?.organizationId].filter((id) => id !== organization?.id);
  const organizationOf = useOrganizations(ids);
  return (id: string | undefined) => {
    if (id === organization?.id) return organization?.name;
    return organizationOf && (organizationOf(id)?.name || pageWords.anotherOrganization);
  };
}
