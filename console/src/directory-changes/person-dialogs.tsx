import type { Organization, User } from "@authorization-service/client/directory";
import { useState } from "react";
import { personName } from "../parts/links.tsx";
import { OrganizationPicker } from "../pickers/things.tsx";
import { settings } from "../settings.ts";
import { changeWords, personChangeWords as words } from "../words/directory-changes.ts";
import { ChangeDialog } from "./change-dialog.tsx";
import { SameLoginNames } from "./same-login-names.tsx";
import { TextField } from "./text-field.tsx";
import type { Change } from "./use-change.ts";

/** The stored fields of a person. An upsert sets all of them. */
type Fields = Pick<User, "id" | "organizationId" | "displayName" | "preferredLoginName" | "avatarUrl">;

function upsert({ id, organizationId, displayName, preferredLoginName, avatarUrl }: Fields): Change {
  return {
    change: { case: "user", value: { id, organizationId, displayName, preferredLoginName, avatarUrl } },
  };
}

type AddProps = { organization: Organization | undefined; onDone: (id: string) => void; onClose: () => void };

export function AddPersonDialog({ organization: given, onDone, onClose }: AddProps) {
  // The suggested organization may arrive after the dialog is open.
  const [picked, setPicked] = useState<{ organization: Organization | undefined }>();
  const organization = picked ? picked.organization : given;
  const [user, setUser] = useState<Fields>(() => ({
    id: crypto.randomUUID(),
    organizationId: "",
    displayName: "",
    preferredLoginName: "",
    avatarUrl: "",
  }));
  const isComplete = organization !== undefined && user.id !== "" && user.preferredLoginName !== "";
  return (
    <ChangeDialog
      title={words.addTitle}
      verb={changeWords.add}
      changes={isComplete ? [upsert({ ...user, organizationId: organization.id })] : undefined}
      ifExisting={{ title: words.existing, advice: words.overwriteAdvice, verb: words.overwrite }}
      done={words.added(personName(user))}
      onDone={() => onDone(user.id)}
      onClose={onClose}
    >
      <PersonFields user={user} onChange={setUser} />
      <OrganizationPicker
        label={words.organization}
        value={organization}
        onChange={(next) => setPicked({ organization: next })}
      />
      {/* Where people sign in with an issuer, it decides their ids. */}
      <details open={settings.oidc !== undefined}>
        <summary>{words.advanced}</summary>
        <TextField
          label={words.id}
          hint={words.idHint}
          value={user.id}
          isRequired
          onChange={(id) => setUser({ ...user, id })}
        />
      </details>
    </ChangeDialog>
  );
}

export function EditPersonDialog({ user: stored, onClose }: { user: User; onClose: () => void }) {
  const [user, setUser] = useState<Fields>(stored);
  return (
    <ChangeDialog
      title={words.editTitle(personName(stored))}
      verb={changeWords.save}
      changes={user.preferredLoginName === "" ? undefined : [upsert(user)]}
      shown={[upsert(stored)]}
      done={words.changed(personName(user))}
      onClose={onClose}
    >
      <PersonFields user={user} known={stored.preferredLoginName} onChange={setUser} />
    </ChangeDialog>
  );
}

type FieldsProps = {
  user: Fields;
  /** The login name that the person has already. */
  known?: string;
  onChange: (user: Fields) => void;
};

function PersonFields({ user, known, onChange }: FieldsProps) {
  return (
    <>
      <TextField
        label={words.displayName}
        value={user.displayName}
        onChange={(displayName) => onChange({ ...user, displayName })}
      />
      <TextField
        label={words.loginName}
        value={user.preferredLoginName}
        isRequired
        onChange={(preferredLoginName) => onChange({ ...user, preferredLoginName })}
      />
      {user.preferredLoginName !== known && <SameLoginNames loginName={user.preferredLoginName} id={user.id} />}
      <TextField
        label={words.picture}
        value={user.avatarUrl}
        longest={2_048}
        onChange={(avatarUrl) => onChange({ ...user, avatarUrl })}
      />
    </>
  );
}

export function MovePersonDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const [organization, setOrganization] = useState<Organization>();
  const isElsewhere = organization !== undefined && organization.id !== user.organizationId;
  return (
    <ChangeDialog
      title={words.moveTitle(personName(user))}
      verb={words.move}
      changes={isElsewhere ? [upsert({ ...user, organizationId: organization.id })] : undefined}
      shown={[upsert(user)]}
      done={words.moved(personName(user), organization?.name ?? "")}
      onClose={onClose}
    >
      <p>{words.moveAdvice}</p>
      <OrganizationPicker label={words.newOrganization} value={organization} onChange={setOrganization} />
    </ChangeDialog>
  );
}
