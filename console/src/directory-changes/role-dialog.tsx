import type { ListedProject, ListedRole } from "@authorization-service/client/directory";
import { useState } from "react";
import { nameOf } from "../parts/role-chips.tsx";
import { changeWords, roleChangeWords as words } from "../words/directory-changes.ts";
import { ChangeDialog } from "./change-dialog.tsx";
import { TextField, useFields } from "./text-field.tsx";
import type { Change } from "./use-change.ts";

type Props = {
  project: ListedProject;
  /** Undefined for new ones. */
  role?: ListedRole;
  onClose: () => void;
};

/** Changes the name, the group and the description of a role, or adds one or several roles. */
export function RoleDialog({ project, role: given, onClose }: Props) {
  // As it was when the dialog was opened, like in all of these dialogs.
  const [role] = useState(given);
  const { values, field } = useFields({ keys: "", ...textsOf(role) });
  const { keys, displayName, group, description } = values;
  const typed = role ? [] : rolesIn(keys);
  const isTaken = project.roles.some(({ key }) => typed.some((one) => one.key === key));
  const isOne = typed.length < 2;
  const upsert = (key: string, value: object): Change => ({
    change: { case: "projectRole", value: { projectId: project.id, key, ...value } },
  });
  const added = typed.map((one) =>
    upsert(one.key, isOne ? { displayName: displayName || one.displayName, group, description } : { ...one, group }),
  );
  const name = displayName || (role?.key ?? keys.trim());
  return (
    <ChangeDialog
      title={role ? words.editTitle(nameOf(role)) : words.addTitle}
      verb={role ? changeWords.save : changeWords.add}
      changes={role ? [upsert(role.key, { displayName, group, description })] : isTaken ? undefined : added}
      {...(role && { shown: [upsert(role.key, textsOf(role))] })}
      done={role ? words.changed(name) : isOne ? words.added(name) : words.severalAdded(typed.length)}
      onClose={onClose}
    >
      {role === undefined && (
        <TextField
          label={words.key}
          hint={isTaken ? words.keyTaken : (keyAdvice(typed) ?? (isOne ? words.keyHint : words.severalHint))}
          {...field("keys")}
          isRequired
          longest={longestList}
        />
      )}
      {isOne && <TextField label={words.name} {...field("displayName")} />}
      <TextField label={words.group} {...field("group")} />
      {isOne && <TextField label={words.description} {...field("description")} longest={500} />}
    </ChangeDialog>
  );
}

function textsOf({ displayName = "", group = "", description = "" }: Partial<ListedRole> = {}) {
  return { displayName, group, description };
}

/** The longest list of roles. */
export const longestList = 5_000;

type TypedRole = { readonly key: string; readonly displayName?: string };

/**
 * The roles in a list with commas, each once. What has spaces in it is a name, and gets a key that programs can write: keys
 * stay forever.
 */
export function rolesIn(text: string): TypedRole[] {
  const typed = text.split(",").map((one) => one.trim());
  const roles = typed
    .filter(Boolean)
    .map((one) => (/\s/.test(one) ? { key: keyFor(one), displayName: one } : { key: one }));
  return [...new Map(roles.map((role) => [role.key, role])).values()];
}

function keyFor(name: string): string {
  return name.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll(/\s+/g, "-");
}

/** Says which keys there will be, if some were made from names. */
export function keyAdvice(roles: readonly TypedRole[]): string | undefined {
  if (roles.every(({ displayName }) => displayName === undefined)) return undefined;
  return words.keysMade(roles.map(({ key }) => key));
}
