import { type ComponentType, useState } from "react";
import { type LookUp, organizations, projects, users } from "../../directory/look-ups.ts";
import { OrganizationPicker } from "../../pickers/organization-picker.tsx";
import type { PickerProps, SeveralPickerProps } from "../../pickers/picker.tsx";
import { ProjectPicker, ProjectsPicker } from "../../pickers/project-picker.tsx";
import { UserPicker, UsersPicker } from "../../pickers/user-picker.tsx";

export type IdFieldProps = {
  label: string;
  id: string;
  problem: string | undefined;
  onChange: (id: string) => void;
};

export type ListFieldProps = {
  label: string;
  list: readonly string[];
  problem: string | undefined;
  onChange: (list: readonly string[]) => void;
};

type Thing = { readonly id: string };

/** Fields for one thing by its id. */
export const fields = {
  user: fieldFor(users, UserPicker),
  project: fieldFor(projects, ProjectPicker),
  organization: fieldFor(organizations, OrganizationPicker),
};

/** Fields for several things by their ids. */
export const listFields = {
  user: listFieldFor(users, UsersPicker),
  project: listFieldFor(projects, ProjectsPicker),
};

function fieldFor<Item extends Thing>(lookUp: LookUp<Item>, Picker: ComponentType<PickerProps<Item>>) {
  return ({ label, id, problem, onChange }: IdFieldProps) => {
    const { known, know } = useKnown(lookUp, id === "" ? [] : [id]);
    const pick = (picked: Item | undefined) => {
      know(picked === undefined ? [] : [picked]);
      onChange(picked?.id ?? "");
    };
    return <Picker label={label} value={known[0]} problem={problem} onChange={pick} />;
  };
}

function listFieldFor<Item extends Thing>(lookUp: LookUp<Item>, Picker: ComponentType<SeveralPickerProps<Item>>) {
  return ({ label, list, problem, onChange }: ListFieldProps) => {
    const { known, know } = useKnown(lookUp, list);
    const pick = (picked: readonly Item[]) => {
      know(picked);
      onChange(picked.map(({ id }) => id));
    };
    return <Picker label={label} value={known} problem={problem} onChange={pick} />;
  };
}

/** The things with these ids: those just picked, and those that the service finds. */
function useKnown<Item extends Thing>({ useFound, bare }: LookUp<Item>, ids: readonly string[]) {
  const [picked, know] = useState<readonly Item[]>([]);
  const { items = [] } = useFound(ids.filter((id) => !picked.some((thing) => thing.id === id)));
  const all = [...picked, ...items];
  return { known: ids.map((id) => all.find((thing) => thing.id === id) ?? bare(id)), know };
}
