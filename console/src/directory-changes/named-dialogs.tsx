import type { Organization, User } from "@authorization-service/client/directory";
import { type ComponentProps, useState } from "react";
import { OrganizationPicker } from "../pickers/organization-picker.tsx";
import { UserPicker } from "../pickers/user-picker.tsx";
import { changeWords, namedChangeWords as words } from "../words/directory-changes.ts";
import { ChangeDialog } from "./change-dialog.tsx";
import { DialogButton } from "./dialog-button.tsx";
import { RemoveButton } from "./remove-button.tsx";
import { keyAdvice, longestList, rolesIn } from "./role-dialog.tsx";
import { TextField, useFields } from "./text-field.tsx";
import type { Change } from "./use-change.ts";

// The roles that allow adding an organization or a project allow everything that these dialogs offer with it.

type AddProps = {
  onDone: (id: string) => void;
  onClose: () => void;
};

/** Adds an organization, with its owner if that is known already. */
export function AddOrganizationDialog({ onDone, onClose }: AddProps) {
  const [id] = useState(() => crypto.randomUUID());
  const { values, field } = useFields({ name: "", person: undefined as User | undefined });
  const { name, person } = values;
  const changes: Change[] = [
    { change: { case: "organization", value: { id, name } } },
    ...owner(person, { case: "organizationId", value: id }, "ORG_OWNER"),
  ];
  return (
    <ChangeDialog
      title={words.addOrganizationTitle}
      verb={changeWords.add}
      changes={name === "" ? undefined : changes}
      done={words.added(name)}
      onDone={() => onDone(id)}
      onClose={onClose}
    >
      <TextField label={words.name} {...field("name")} isRequired />
      <UserPicker label={words.person} {...field("person")} />
    </ChangeDialog>
  );
}

type ProjectProps = AddProps & {
  /** The one that is suggested as its owner. */
  organization: Organization | undefined;
};

/** Adds a project, with its roles, a grant of all of them, and its owner, as far as these are known already. */
export function AddProjectDialog({ organization: suggested, onDone, onClose }: ProjectProps) {
  const [[id, grantId]] = useState(() => [crypto.randomUUID(), crypto.randomUUID()] as const);
  const { values, field } = useFields({
    name: "",
    organization: suggested,
    roles: "",
    grantee: undefined as Organization | undefined,
    person: undefined as User | undefined,
  });
  const { name, organization, grantee, person } = values;
  const roles = rolesIn(values.roles);
  const isOwn = grantee !== undefined && grantee.id === organization?.id;
  const problem = isOwn ? words.granteeOwns : grantee && roles.length === 0 ? words.granteeNeeds : undefined;

  const changesIn = ({ id: organizationId }: Organization): Change[] => {
    const roleKeys = roles.map(({ key }) => key).sort();
    const grant = grantee && { id: grantId, projectId: id, organizationId: grantee.id, roleKeys };
    return [
      { change: { case: "project", value: { id, organizationId, name } } },
      ...roles.map((role): Change => ({ change: { case: "projectRole", value: { projectId: id, ...role } } })),
      ...(grant ? [{ change: { case: "projectGrant" as const, value: grant } }] : []),
      ...owner(person, { case: "projectId", value: id }, "PROJECT_OWNER"),
    ];
  };
  return (
    <ChangeDialog
      title={words.addProjectTitle}
      verb={changeWords.add}
      changes={name !== "" && organization && !problem ? changesIn(organization) : undefined}
      done={words.added(name)}
      onDone={() => onDone(id)}
      onClose={onClose}
    >
      <TextField label={words.name} {...field("name")} isRequired />
      <OrganizationPicker label={words.owner} {...field("organization")} />
      <TextField
        label={words.keys}
        hint={keyAdvice(roles) ?? words.keysHint}
        {...field("roles")}
        longest={longestList}
      />
      <OrganizationPicker label={words.grantee} {...field("grantee")} problem={problem} />
      <UserPicker label={words.person} {...field("person")} />
    </ChangeDialog>
  );
}

type Scope = { readonly case: "organizationId" | "projectId"; readonly value: string };

function owner(person: User | undefined, scope: Scope, role: string): Change[] {
  return person ? [{ change: { case: "administrator", value: { userId: person.id, scope, roles: [role] } } }] : [];
}

type ActionsProps = Pick<ComponentProps<typeof RemoveButton>, "remove" | "after"> & {
  name: string;
  removeAdvice: string;
  /** What gives it a name. */
  changeTo: (name: string) => Change;
};

/** Renames or removes an organization or a project. */
export function NamedActions({ name, changeTo, removeAdvice, ...removed }: ActionsProps) {
  return (
    <>
      <DialogButton label={changeWords.rename}>
        {(close) => <RenameDialog name={name} changeTo={changeTo} onClose={close} />}
      </DialogButton>
      <RemoveButton names={[name]} words={{ ...words, removeAdvice }} {...removed} />
    </>
  );
}

type RenameProps = Pick<ActionsProps, "name" | "changeTo"> & { onClose: () => void };

function RenameDialog({ name: former, changeTo, onClose }: RenameProps) {
  const [name, setName] = useState(former);
  return (
    <ChangeDialog
      title={words.renameTitle(former)}
      verb={changeWords.rename}
      changes={name === "" ? undefined : [changeTo(name)]}
      shown={[changeTo(former)]}
      done={words.renamed(name)}
      onClose={onClose}
    >
      <TextField label={words.name} value={name} isRequired onChange={setName} />
    </ChangeDialog>
  );
}
