import type { Role } from "@authorization-service/client";
import { type Authorization, State } from "@authorization-service/client";
import { isOwned } from "../assignments/columns.tsx";
import { useNamesOfOrganizations } from "../directory/organization-names.ts";
import { Facts } from "../parts/facts.tsx";
import { OrganizationLink, PersonLink, ProjectLink } from "../parts/links.tsx";
import { Moment } from "../parts/moment.tsx";
import { nameOf } from "../parts/role-chips.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { useMore } from "../parts/use-more.tsx";
import { locale } from "../words/language/language.ts";
import { panelWords as words } from "../words/panel.ts";
import { CopyButton } from "./copy-button.tsx";

/** The user, the place and the dates, with links to their pages, and the ids. */
export function Details({ authorization }: { authorization: Authorization }) {
  const { id, user, organization, project, state, creationDate, changeDate, expirationDate: end } = authorization;
  const organizationOf = useNamesOfOrganizations([user, project].filter((of) => of !== undefined));
  const { facts, idNames } = words;
  const ofThing = (name: string, value = "") => (
    <>
      <code>{value}</code> <CopyButton text={value} what={words.idOf(name)} />
    </>
  );
  return (
    <section>
      <h3>{words.details}</h3>
      <Facts
        facts={{
          [idNames.user]: user && <PersonLink user={user} />,
          [facts.loginName]: user?.preferredLoginName,
          [facts.belongsTo]:
            user && (user.organizationId === organization?.id ? organization.name : organizationOf(user)),
          [facts.organization]: <OrganizationLink organization={organization} />,
          [facts.project]: (
            <>
              <ProjectLink project={project} />{" "}
              <span className="muted">
                {isOwned(authorization) ? words.owned : words.grantedBy((project && organizationOf(project)) ?? "")}
              </span>
            </>
          ),
          [facts.state]: (
            <>
              <StateBadge of={authorization} />
              {state === State.INACTIVE && <span className="muted">{words.notInForce}</span>}
            </>
          ),
          [authorization.expired ? facts.ended : facts.ends]: end && <Moment at={end} />,
          [facts.created]: <Moment at={creationDate} />,
          [facts.changed]: <Moment at={changeDate} />,
        }}
      />
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
    </section>
  );
}

/** The roles by group, with the keys that programs use. Roles without a group come last. */
export function Roles({ roles }: { roles: readonly Role[] }) {
  const sorted = roles.toSorted(
    ({ group: a }, { group: b }) => Number(a === "") - Number(b === "") || a.localeCompare(b, locale),
  );
  const [shown, more] = useMore(sorted);
  return (
    <section>
      <h3>
        {words.roles} <span className="muted">{roles.length}</span>
      </h3>
      {roles.length === 0 && <p className="muted">{words.noRoles}</p>}
      {[...Map.groupBy(shown, ({ group }) => group)].map(([group, ofGroup]) => (
        <div key={group} className="held-roles">
          <h4>{group || words.noGroup}</h4>
          <ul className="lines">
            {ofGroup.map((role) => (
              <li key={role.key}>
                {nameOf(role)} {role.displayName && role.displayName !== role.key && <code>{role.key}</code>}
              </li>
            ))}
          </ul>
        </div>
      ))}
      {more}
    </section>
  );
}
