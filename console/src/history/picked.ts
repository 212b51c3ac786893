import {
  DirectoryService,
  ListedProjectSchema,
  OrganizationSchema,
  UserSchema,
} from "@authorization-service/client/directory";
import { create } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { withId } from "../directory/requests.ts";

// Things that an address names by id, for pickers. If one was removed or can't be looked up, its id is shown, because
// there may still be a history.

export function useUser(id: string | undefined) {
  const { data } = useQuery(DirectoryService.method.listUsers, withId(id ?? ""), { enabled: Boolean(id) });
  return id ? (data?.users[0] ?? create(UserSchema, { id })) : undefined;
}

export function useProject(id: string | undefined) {
  const { data } = useQuery(DirectoryService.method.listProjects, withId(id ?? ""), { enabled: Boolean(id) });
  return id ? (data?.projects[0] ?? create(ListedProjectSchema, { id })) : undefined;
}

export function useOrganization(id: string | undefined) {
  const { data } = useQuery(DirectoryService.method.listOrganizations, withId(id ?? ""), { enabled: Boolean(id) });
  return id ? (data?.organizations[0] ?? create(OrganizationSchema, { id })) : undefined;
}
