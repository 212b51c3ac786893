import { DirectoryService, type Organization } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { pageWords } from "../words/pages.ts";
import { withIds } from "./requests.ts";

/**
 * The organizations of these ids that the reader may know. Undefined until the service has answered, because only then
 * it is known which ones remain "another organization".
 */
export function useOrganizations(
  ids: readonly (string | undefined)[],
): ((id: string | undefined) => Organization | undefined) | undefined {
  const asked = [...new Set(ids.filter((id) => id !== undefined && id !== ""))].sort() as string[];
  const { data, isError } = useQuery(DirectoryService.method.listOrganizations, withIds(asked), {
    enabled: asked.length > 0,
    placeholderData: keepPreviousData,
  });
  if (data === undefined && asked.length > 0 && !isError) return undefined;
  const known = new Map(data?.organizations.map((organization) => [organization.id, organization]));
  return (id) => (id === undefined ? undefined : known.get(id));
}

/** The same by name, for people: “another organization” for those the reader may not know. */
export function useNamesOfOrganizations(
  users: readonly { readonly organizationId: string }[],
): (user: { readonly organizationId: string }) => string | undefined {
  const organizationOf = useOrganizations(users.map(({ organizationId }) => organizationId));
  return ({ organizationId }) =>
    organizationOf && (organizationOf(organizationId)?.name || pageWords.anotherOrganization);
}
