import type { ListedProject, ListedRole } from "@authorization-service/client/directory";
import { useState } from "react";
import { nameOf } from "../parts/role-chips.tsx";
import { changeWords, roleChangeWords as words } from "../words/directory-changes.ts";
import { ChangeDialog } from "./change-dialog.tsx";
import { KeyAdvice, keysIn, longestList } from "./role-keys.tsx";
import { TextField } from "./text-field.tsx";
import type { Change } from "./use-change.ts";

type Props = {
  project: ListedProject;
  /** Undefined for new ones. */
  role?: ListedRole;
  onClose: () => void;
};

const longestDescription = 500;

/** Changes the name, the group and the description of a role, or adds one or several roles. */
export function RoleDialog({ project, role, onClose }: Props) {
  const [typed, setTyped] = useState(role?.key ?? "");
  const [displayName, setDisplayName] = useState(role?.displayName ?? "");
  const [group, setGroup] = useState(role?.group ?? "");
  const [description, setDescription] = useState(role?.description ?? "");
  const groups = [...new Set(project.roles.map((one) => one.group))].filter(Boolean);
  const keys = role ? [role.key] : keysIn(typed);
  const isTaken = role === undefined && project.roles.some((one) => keys.includes(one.key));
  const isOne = keys.length < 2;
  const upsert = ({ key, ...texts }: Role): Change => ({
    change: { case: "projectRole", value: { projectId: project.id, key, ...texts } },
  });
  const added = (key: string) => upsert(isOne ? { key, displayName, group, description } : { key, group });
  const name = nameOf({ key: keys[0] ?? "", displayName });
  return (
    <ChangeDialog
      title={role ? words.editTitle(nameOf(role)) : words.addTitle}
      verb={role ? changeWords.save : changeWords.add}
      changes={keys.length === 0 || isTaken ? undefined : keys.map(added)}
      {...(role && { shown: [upsert(roleOf(role))] })}
      done={role ? words.changed(name) : isOne ? words.added(name) : words.severalAdded(keys.length)}
      onClose={onClose}
    >
      {role === undefined && (
        <TextField
          label={words.key}
          hint={isTaken ? words.keyTaken : isOne ? words.keyHint : words.severalHint}
          value={typed}
          isRequired
          longest={longestList}
          onChange={setTyped}
        />
      )}
      {role === undefined && (
        <KeyAdvice
          keys={keys}
          onUse={(better, name) => {
            setTyped(better);
            if (name !== undefined) setDisplayName((current) => current || name);
          }}
        />
      )}
      {isOne && <TextField label={words.name} value={displayName} onChange={setDisplayName} />}
      <TextField label={words.group} value={group} suggestions={groups} onChange={setGroup} />
      {isOne && (
        <TextField
          label={words.description}
          value={description}
          longest={longestDescription}
          onChange={setDescription}
        />
      )}
    </ChangeDialog>
  );
}

type Role = Pick<ListedRole, "key"> & Partial<Pick<ListedRole, "displayName" | "group" | "description">>;

function roleOf({ key, displayName, group, description }: ListedRole): Role {
  return { key, displayName, group, description };
}
