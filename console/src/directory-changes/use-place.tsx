import type { ListedProject, Organization } from "@authorization-service/client/directory";
import { useCaller } from "../caller.ts";
import type { Level } from "../directory/administrator-roles.ts";
import { everywhere, rolesToGive } from "../directory/rights.ts";
import { OrganizationPicker, ProjectPicker } from "../pickers/things.tsx";
import { entryChangeWords as words } from "../words/directory-changes.ts";
import { type EntryScope, placeIn } from "./entry-place.ts";
import { useFields } from "./text-field.tsx";

/** Fields for where someone becomes an administrator, and the place once it is picked. */
export function usePlace() {
  const caller = useCaller();
  const { values, field } = useFields({
    level: "organization" as Level,
    organization: undefined as Organization | undefined,
    project: undefined as ListedProject | undefined,
  });
  const { level, organization, project } = values;
  const grant = project?.grants.find((one) => one.organization?.id === organization?.id);
  const scopes: Readonly<Record<Level, EntryScope | undefined>> = {
    instance: { case: "instance" },
    organization: organization && { case: "organization", value: organization },
    project: project && { case: "project", value: project },
    projectGrant: grant && project && { case: "projectGrant", value: { ...grant, project } },
  };
  const scope = scopes[level];
  const mayGiveAll = rolesToGive(caller, "instance", everywhere).length > 0;
  const fields = (
    <>
      <label className="field">
        {words.level}
        <select value={level} onChange={({ target }) => field("level").onChange(target.value as Level)}>
          {Object.entries(words.levels)
            .filter(([name]) => name !== "instance" || mayGiveAll)
            .map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
        </select>
      </label>
      {(level === "project" || level === "projectGrant") && (
        <ProjectPicker label={words.project} {...field("project")} />
      )}
      {(level === "organization" || level === "projectGrant") && (
        <OrganizationPicker label={words.organization} {...field("organization")} />
      )}
      {level === "projectGrant" && project && organization && !grant && <p role="status">{words.notGranted}</p>}
    </>
  );
  return { place: scope && placeIn(scope), fields };
}
