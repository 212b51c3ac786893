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
import { withIds } from "./requests.ts";

/** How things of one kind are looked up by their ids. */
export type LookUp<Item> = {
  /** `items` is undefined until the service has answered, or if nothing is asked for. */
  readonly useFound: (ids: readonly string[]) => {
    readonly items: readonly Item[] | undefined;
    readonly isLoading: boolean;
  };
  /** What stands for one that isn't found. */
  readonly bare: (id: string) => Item;
};

const { listUsers, listProjects, listOrganizations } = DirectoryService.method;

export const users: LookUp<User> = {
  useFound(ids) {
    const { data, isLoading } = useQuery(listUsers, withIds(ids), { enabled: ids.length > 0 });
    return { items: data?.users, isLoading };
  },
  bare: (id) => create(UserSchema, { id }),
};

export const projects: LookUp<ListedProject> = {
  useFound(ids) {
    const { data, isLoading } = useQuery(listProjects, withIds(ids), { enabled: ids.length > 0 });
    return { items: data?.projects, isLoading };
  },
  bare: (id) => create(ListedProjectSchema, { id }),
};

export const organizations: LookUp<Organization> = {
  useFound(ids) {
    const { data, isLoading } = useQuery(listOrganizations, withIds(ids), { enabled: ids.length > 0 });
    return { items: data?.organizations, isLoading };
  },
  bare: (id) => create(OrganizationSchema, { id }),
};
