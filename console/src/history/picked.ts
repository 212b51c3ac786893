import type { ListedProject, Organization, User } from "@authorization-service/client/directory";
import { type LookUp, organizations, projects, users } from "../directory/look-ups.ts";
import type { Ever } from "../pickers/removed.ts";
import { type Removable, useRemoved } from "./removals.ts";

// Things that an address names by id, for pickers. If one can't be looked up, not even among what was removed, its id is
// shown, because there may still be a history.

export function useUser(id: string | undefined): Ever<User> | undefined {
  return usePicked<Ever<User>>(users, "user", id);
}

export function useProject(id: string | undefined): Ever<ListedProject> | undefined {
  return usePicked<Ever<ListedProject>>(projects, "project", id);
}

export function useOrganization(id: string | undefined): Ever<Organization> | undefined {
  return usePicked<Ever<Organization>>(organizations, "organization", id);
}

function usePicked<Item extends Ever<object>>(
  { useFound, bare }: LookUp<Item>,
  kind: Removable,
  id: string | undefined,
): Item | undefined {
  const { items, isLoading } = useFound(id ? [id] : []);
  // It is known only then that it isn't there.
  const removed = useRemoved(kind, id && items?.length === 0 ? [id] : []);
  if (!id) return undefined;
  if (isLoading || removed === undefined) return { ...bare(id), isAsked: true };
  const gone = removed.get(id)?.[kind] as Item | undefined;
  const other = gone ? { ...gone, isRemoved: true } : bare(id);
  return items?.[0] ?? (items ? { ...other, isGone: true } : other);
}
