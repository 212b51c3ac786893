import type { ListedProject, Organization } from "@authorization-service/client/directory";
import { useState } from "react";
import { OrganizationPicker } from "../pickers/organization-picker.tsx";
import { changeWords, namedChangeWords as words } from "../words/directory-changes.ts";
import { ChangeDialog } from "./change-dialog.tsx";
import { TextField } from "./text-field.tsx";
import type { Change } from "./use-change.ts";

type Props = {
  /** Undefined for a new one. */
  organization: Pick<Organization, "id" | "name"> | undefined;
  onDone?: (id: string) => void;
  onClose: () => void;
};

/** Adds or renames an organization. */
export function OrganizationDialog({ organization, onDone, onClose }: Props) {
  const [id] = useState(() => organization?.id ?? crypto.randomUUID());
  const [name, setName] = useState(organization?.name ?? "");
  const upsert = (value: Pick<Organization, "id" | "name">): Change => ({ change: { case: "organization", value } });
  return (
    <ChangeDialog
      title={organization ? words.renameTitle(organization.name) : words.addOrganizationTitle}
      verb={organization ? changeWords.rename : changeWords.add}
      changes={name === "" ? undefined : [upsert({ id, name })]}
      {...(organization && { shown: [upsert({ id, name: organization.name })] })}
      done={(organization ? words.renamed : words.added)(name)}
      onDone={() => onDone?.(id)}
      onClose={onClose}
    >
      <TextField label={words.name} value={name} isRequired onChange={setName} />
    </ChangeDialog>
  );
}

type ProjectProps = {
  /** Undefined for a new one. */
  project: Pick<ListedProject, "id" | "name" | "organizationId"> | undefined;
  /** Who owns a new one. */
  owner?: Organization | undefined;
  onDone?: (id: string) => void;
  onClose: () => void;
};

/** Adds or renames a project. */
export function ProjectDialog({ project, owner: given, onDone, onClose }: ProjectProps) {
  const [id] = useState(() => project?.id ?? crypto.randomUUID());
  const [name, setName] = useState(project?.name ?? "");
  // The suggested owner may arrive after the dialog is open.
  const [picked, setPicked] = useState<{ owner: Organization | undefined }>();
  const owner = picked ? picked.owner : given;
  const organizationId = project?.organizationId ?? owner?.id;
  const upsert = (fields: { name: string; organizationId: string }): Change => ({
    change: { case: "project", value: { id, ...fields } },
  });
  return (
    <ChangeDialog
      title={project ? words.renameTitle(project.name) : words.addProjectTitle}
      verb={project ? changeWords.rename : changeWords.add}
      changes={name === "" || organizationId === undefined ? undefined : [upsert({ name, organizationId })]}
      {...(project && { shown: [upsert({ name: project.name, organizationId: project.organizationId })] })}
      done={(project ? words.renamed : words.added)(name)}
      onDone={() => onDone?.(id)}
      onClose={onClose}
    >
      <TextField label={words.name} value={name} isRequired onChange={setName} />
      {project === undefined && (
        <OrganizationPicker label={words.owner} value={owner} onChange={(next) => setPicked({ owner: next })} />
      )}
    </ChangeDialog>
  );
}
