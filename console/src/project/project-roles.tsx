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
        <section key={group} className="stack" aria-label={group || words.noGroup}>
          <h3>{group || words.noGroup}</h3>
          <ul className="plain-list">
            {ofGroup.map((role) => (
              <li key={role.key}>
                <RoleLink projectId={id} role={role} />
                {role.displayName && role.displayName !== role.key && <code className="muted">{role.key}</code>}
                <Count count={countOf.get(role.key)} />
                {mayChangeRoles && <RoleActions project={project} role={role} />}
              </li>
            ))}
          </ul>
        </section>
      ))}
      {totalRoles > roles.length && <Nothing>{words.notListed(totalRoles - roles.length)}</Nothing>}
    </Section>
  );
}

function RoleActions({ project, role }: { project: ListedProject; role: ListedRole }) {
  const name = nameOf(role);
  return (
    <span className="page-actions">
      <DialogButton label={changeWords.edit} of={roleChangeWords.editOf(name)}>
        {(close) => <RoleDialog project={project} role={role} onClose={close} />}
      </DialogButton>
      <RemoveButton
        of={roleChangeWords.removeOf(name)}
        title={roleChangeWords.removeTitle(name)}
        done={roleChangeWords.removed(name)}
        consequences={roleChangeWords.removeAdvice}
        remove={{ case: "projectRole", value: { projectId: project.id, key: role.key } }}
      />
    </span>
  );
}

function Count({ count }: { count: number | undefined }) {
  return count !== undefined && <span className="muted">{words.holders(count)}</span>;
}

/** Groups and roles sorted by name. Roles without a group come last. */
export function byGroup(roles: readonly ListedRole[]): [group: string, roles: ListedRole[]][] {
  const groups = Map.groupBy(roles, ({ group }) => group);
  return [...groups]
    .sort(([a], [b]) => Number(a === "") - Number(b === "") || a.localeCompare(b, locale))
    .map(([group, ofGroup]) => [group, ofGroup.sort((a, b) => nameOf(a).localeCompare(nameOf(b), locale))]);
}
