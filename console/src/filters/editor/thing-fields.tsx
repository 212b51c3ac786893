import {
  DirectoryService,
  type ListedProject,
  ListedProjectSchema,
  type Organization,
  OrganizationSchema,
  type User,
  UserSchema,
} from "@authorization-service/client/directory";
import { create } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { type ComponentType, useState } from "react";
import { withIds } from "../../directory/requests.ts";
import { OrganizationPicker } from "../../pickers/organization-picker.tsx";
import type { PickerProps, SeveralPickerProps } from "../../pickers/picker.tsx";
import { ProjectPicker, ProjectsPicker } from "../../pickers/project-picker.tsx";
import { UserPicker, UsersPicker } from "../../pickers/user-picker.tsx";
import type { IdFieldProps } from "./id-field.tsx";
import type { ListFieldProps } from "./list-field.tsx";

type Thing = { readonly id: string };

/** How things of one kind are looked up by their ids, and what stands for one that isn't found. */
type Kind<Item> = {
  readonly useFound: (ids: readonly string[]) => readonly Item[] | undefined;
  readonly bare: (id: string) => Item;
};

const users: Kind<User> = {
  useFound: (ids) => useQuery(DirectoryService.method.listUsers, withIds(ids), { enabled: ids.length > 0 }).data?.users,
  bare: (id) => create(UserSchema, { id }),
};

const projects: Kind<ListedProject> = {
  useFound: (ids) =>
    useQuery(DirectoryService.method.listProjects, withIds(ids), { enabled: ids.length > 0 }).data?.projects,
  bare: (id) => create(ListedProjectSchema, { id }),
};

const organizations: Kind<Organization> = {
  useFound: (ids) =>
    useQuery(DirectoryService.method.listOrganizations, withIds(ids), { enabled: ids.length > 0 }).data?.organizations,
  bare: (id) => create(OrganizationSchema, { id }),
};

// Fields for one thing by its id.
export const UserField = fieldFor(users, UserPicker);
export const ProjectField = fieldFor(projects, ProjectPicker);
export const OrganizationField = fieldFor(organizations, OrganizationPicker);

// Fields for several things by their ids.
export const UsersField = listFieldFor(users, UsersPicker);
export const ProjectsField = listFieldFor(projects, ProjectsPicker);

function fieldFor<Item extends Thing>(kind: Kind<Item>, Picker: ComponentType<PickerProps<Item>>) {
  return ({ label, id, problem, onChange }: IdFieldProps) => {
    const { known, know } = useKnown(kind, id === "" ? [] : [id]);
    const pick = (picked: Item | undefined) => {
      know(picked === undefined ? [] : [picked]);
      onChange(picked?.id ?? "");
    };
    return <Picker label={label} value={known[0]} problem={problem} onChange={pick} />;
  };
}

function listFieldFor<Item extends Thing>(kind: Kind<Item>, Picker: ComponentType<SeveralPickerProps<Item>>) {
  return ({ label, list, problem, onChange }: ListFieldProps) => {
    const { known, know } = useKnown(kind, list);
    const pick = (picked: readonly Item[]) => {
      know(picked);
      onChange(picked.map(({ id }) => id));
    };
    return <Picker label={label} value={known} problem={problem} onChange={pick} />;
  };
}

/** The things with these ids: those just picked, and those that the service finds. */
function useKnown<Item extends Thing>({ useFound, bare }: Kind<Item>, ids: readonly string[]) {
  const [picked, know] = useState<readonly Item[]>([]);
  const found = useFound(ids.filter((id) => !picked.some((thing) => thing.id === id)));
  const all = [...picked, ...(found ?? [])];
  return { known: ids.map((id) => all.find((thing) => thing.id === id) ?? bare(id)), know };
}
