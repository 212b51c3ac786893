import type { Organization, User } from "@authorization-service/client/directory";
import { type ReactNode, useState } from "react";
import { useCaller } from "../caller.ts";
import { mayChange, mayGive } from "../directory/rights.ts";
import { OrganizationPicker, UserPicker } from "../pickers/things.tsx";
import { changeWords, namedChangeWords as words } from "../words/directory-changes.ts";
import { ChangeDialog } from "./change-dialog.tsx";
import { KeyAdvice, keysIn, longestList } from "./role-keys.tsx";
import { TextField } from "./text-field.tsx";
import type { Change } from "./use-change.ts";

type AddProps = {
  onDone: (id: string) => void;
  onClose: () => void;
};

type FormProps = AddProps & {
  id: string;
  title: string;
  /** Undefined while something is missing. */
  changesFor: (name: string) => Change[] | undefined;
  children: ReactNode;
};

function AddDialog({ id, title, changesFor, onDone, onClose, children }: FormProps) {
  const [name, setName] = useState("");
  return (
    <ChangeDialog
      title={title}
      verb={changeWords.add}
      changes={name === "" ? undefined : changesFor(name)}
      done={words.added(name)}
      onDone={() => onDone(id)}
      onClose={onClose}
    >
      <TextField label={words.name} value={name} isRequired onChange={setName} />
      {children}
    </ChangeDialog>
  );
}

/** Adds an organization, with its owner if that is known already. */
export function AddOrganizationDialog(props: AddProps) {
  const [id] = useState(() => crypto.randomUUID());
  const [person, setPerson] = useState<User>();
  const scope = { case: "organizationId" as const, value: id };
  return (
    <AddDialog
      id={id}
      title={words.addOrganizationTitle}
      changesFor={(name) => [
        { change: { case: "organization", value: { id, name } } },
        ...(person ? [owner(person, scope, "ORG_OWNER")] : []),
      ]}
      {...props}
    >
      {mayGive(useCaller(), ["ORG_OWNER"], { organizationId: id }) && (
        <UserPicker label={words.person} value={person} onChange={setPerson} />
      )}
    </AddDialog>
  );
}

/** Adds a project, with its roles, a grant of all of them, and its owner, as far as these are known already. */
export function AddProjectDialog({ owner: given, ...props }: AddProps & { owner: Organization | undefined }) {
  const caller = useCaller();
  const [[id, grantId]] = useState(() => [crypto.randomUUID(), crypto.randomUUID()] as const);
  // The suggested owner may arrive after the dialog is open.
  const [picked, setPicked] = useState<{ owner: Organization | undefined }>();
  const organizationId = (picked ? picked.owner : given)?.id;
  const [typed, setTyped] = useState("");
  const [pickedGrantee, setGrantee] = useState<Organization>();
  const [pickedPerson, setPerson] = useState<User>();
  const where = { organizationId };
  const mayAddRoles = mayChange(caller, "project.role.write", where);
  const mayGrant = mayChange(caller, "project.grant.write", where);
  const mayMakeOwner = mayGive(caller, ["PROJECT_OWNER"], where);
  // What was filled in before another organization was picked may not be offered any more.
  const keys = mayAddRoles ? keysIn(typed) : [];
  const grantee = mayGrant ? pickedGrantee : undefined;
  const person = mayMakeOwner ? pickedPerson : undefined;
  const isOwn = grantee !== undefined && grantee.id === organizationId;
  const scope = { case: "projectId" as const, value: id };

  const changesFor = (name: string): Change[] | undefined => {
    if (organizationId === undefined || isOwn || (grantee && keys.length === 0)) return undefined;
    const grant = grantee && { id: grantId, projectId: id, organizationId: grantee.id, roleKeys: keys.toSorted() };
    return [
      { change: { case: "project", value: { id, organizationId, name } } },
      ...keys.map((key): Change => ({ change: { case: "projectRole", value: { projectId: id, key } } })),
      ...(grant ? [{ change: { case: "projectGrant" as const, value: grant } }] : []),
      ...(person ? [owner(person, scope, "PROJECT_OWNER")] : []),
    ];
  };
  return (
    <AddDialog id={id} title={words.addProjectTitle} changesFor={changesFor} {...props}>
      <OrganizationPicker
        label={words.owner}
        value={picked ? picked.owner : given}
        onChange={(next) => setPicked({ owner: next })}
      />
      {mayAddRoles && (
        <>
          <TextField label={words.keys} hint={words.keysHint} value={typed} longest={longestList} onChange={setTyped} />
          <KeyAdvice keys={keys} onUse={setTyped} />
        </>
      )}
      {mayGrant && (
        <OrganizationPicker
          label={words.grantee}
          value={grantee}
          problem={isOwn ? words.granteeOwns : grantee && keys.length === 0 ? words.granteeNeeds : undefined}
          onChange={setGrantee}
        />
      )}
      {mayMakeOwner && <UserPicker label={words.person} value={person} onChange={setPerson} />}
    </AddDialog>
  );
}

type Scope = { readonly case: "organizationId" | "projectId"; readonly value: string };

function owner({ id: userId }: User, scope: Scope, role: string): Change {
  return { change: { case: "administrator", value: { userId, scope, roles: [role] } } };
}

type RenameProps = {
  name: string;
  /** What gives it a name. */
  changeTo: (name: string) => Change;
  onClose: () => void;
};

/** Renames an organization or a project. */
export function RenameDialog({ name: former, changeTo, onClose }: RenameProps) {
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
