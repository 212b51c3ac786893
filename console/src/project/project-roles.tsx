import type { RoleCount } from "@authorization-service/client";
import type { ListedProject, ListedRole } from "@authorization-service/client/directory";
import { useCaller } from "../caller.ts";
import { Nothing } from "../directory/answered.tsx";
import { Section } from "../directory/page.tsx";
import { mayChange } from "../directory/rights.ts";
import { DialogButton } from "../directory-changes/dialog-button.tsx";
import { RemoveButton } from "../directory-changes/remove-button.tsx";
import { RoleDialog } from "../directory-changes/role-dialog.tsx";
import { RoleLink } from "../parts/links.tsx";
import { nameOf } from "../parts/role-chips.tsx";
import { changeWords, roleChangeWords } from "../words/directory-changes.ts";
import { locale } from "../words/language/language.ts";
import { projectWords } from "../words/projects.ts";

const words = projectWords.roles;

type Props = {
  project: ListedProject;
  /** How many assignments have each role; undefined while it is loading. */
  counts: readonly RoleCount[] | undefined;
};

/** The roles of a project by group. Each leads to who holds it. */
export function ProjectRoles({ project, counts }: Props) {
  const { id, roles, totalRoles, organizationId } = project;
  const mayChangeRoles = mayChange(useCaller(), "project.role.write", { organizationId, projectId: id });
  const countOf = new Map(counts?.map(({ role, count }) => [role?.key, count]));
  const row = (role: ListedRole) => {
    const { key, displayName } = role;
    const count = countOf.get(key);
    return (
      <li key={key}>
        <RoleLink projectId={id} role={role} />
        {displayName && displayName !== key && <code className="muted">{key}</code>}
        {count !== undefined && <span className="muted">{words.holders(count)}</span>}
        {mayChangeRoles && (
          <span className="page-actions">
            <DialogButton label={changeWords.edit} of={roleChangeWords.editTitle(nameOf(role))}>
              {(close) => <RoleDialog project={project} role={role} onClose={close} />}
            </DialogButton>
            <RemoveButton
              names={[nameOf(role)]}
              words={roleChangeWords}
              remove={{ case: "projectRole", value: { projectId: id, key } }}
            />
          </span>
        )}
      </li>
    );
  };
  return (
    <Section
      title={words.title}
      count={totalRoles}
      actions={
        mayChangeRoles && (
          <DialogButton label={roleChangeWords.add}>
            {(close) => <RoleDialog project={project} onClose={close} />}
          </DialogButton>
        )
      }
    >
      {roles.length === 0 && <Nothing>{words.none}</Nothing>}
      {byGroup(roles).map(([group, ofGroup]) => (
        <section key={group} className="field" aria-label={group || words.noGroup}>
          <h3>{group || words.noGroup}</h3>
          <ul className="plain-list">{ofGroup.map(row)}</ul>
        </section>
      ))}
      {totalRoles > roles.length && <Nothing>{words.notListed(totalRoles - roles.length)}</Nothing>}
    </Section>
  );
}

/** Groups and roles sorted by name. Roles without a group come last. */
function byGroup(roles: readonly ListedRole[]): [group: string, roles: ListedRole[]][] {
  const sorted = roles.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b), locale));
  return [...Map.groupBy(sorted, ({ group }) => group)].sort(
    ([a], [b]) => Number(a === "") - Number(b === "") || a.localeCompare(b, locale),
  );
}
