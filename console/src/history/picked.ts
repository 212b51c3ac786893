import {
  DirectoryService,
  ListedProjectSchema,
  OrganizationSchema,
  UserSchema,
} from "@authorization-service/client/directory";
import { create } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { withId } from "../directory/requests.ts";
import { type Removable, useRemoved } from "./removals.ts";

// Things that an address names by id, for pickers. If one can't be looked up, not even among what was removed, its id is
// shown, because there may still be a history.

export function useUser(id: string | undefined) {
  const { data } = useQuery(DirectoryService.method.listUsers, withId(id ?? ""), { enabled: Boolean(id) });
  const removed = useGone("user", id, data?.users)?.user;
  return id ? (data?.users[0] ?? (removed ? { ...removed, isRemoved: true } : create(UserSchema, { id }))) : undefined;
}

export function useProject(id: string | undefined) {
  const { data } = useQuery(DirectoryService.method.listProjects, withId(id ?? ""), { enabled: Boolean(id) });
  const removed = useGone("project", id, data?.projects)?.project;
  if (!id) return undefined;
  return data?.projects[0] ?? (removed ? { ...removed, isRemoved: true } : create(ListedProjectSchema, { id }));
}

export function useOrganization(id: string | undefined) {
  const { data } = useQuery(DirectoryService.method.listOrganizations, withId(id ?? ""), { enabled: Boolean(id) });
  const removed = useGone("organization", id, data?.organizations)?.organization;
  if (!id) return undefined;
  return data?.organizations[0] ?? (removed ? { ...removed, isRemoved: true } : create(OrganizationSchema, { id }));
}

/** What was removed, once it is known that it isn't there. */
function useGone(kind: Removable, id: string | undefined, found: readonly unknown[] | undefined) {
  return useRemoved(kind, id && found?.length === 0 ? [id] : [])?.get(id ?? "");
}
