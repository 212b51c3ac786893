import {
  type DirectoryEvent,
  DirectoryHistoryService,
  type ListDirectoryEventsRequestSchema,
  type ListedProject,
  ListedProjectSchema,
  type Organization,
  type Project,
  type User,
} from "@authorization-service/client/directory";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { createQueryOptions, useTransport } from "@connectrpc/connect-query";
import { useQueries } from "@tanstack/react-query";
import { type LookUp, organizations, projects, users } from "../directory/look-ups.ts";

/** What has a page, and pickers, and can be removed. */
export type Removable = "user" | "project" | "organization";

/** What was removed, as it was last, with the events of its removal. */
export type Removed = {
  readonly removal: DirectoryEvent;
  readonly user?: User;
  readonly project?: ListedProject;
  readonly organization?: Organization;
};

/** Something to pick that may be gone, whose last names may be known then, or whose name is still asked for. */
export type Ever<Item> = Item & { readonly isGone?: boolean; readonly isRemoved?: boolean; readonly isAsked?: boolean };

/** The most things that are asked for, each with a request. A page of events rarely has more that are gone. */
const mostAsked = 20;

/** An event after the removal is that of an erasure, which is rare. */
const mostAfter = 5;

/** Finds what was removed, as far as the reader may see it. Undefined until every answer is there. */
export function useRemoved(kind: Removable, ids: readonly string[]): ReadonlyMap<string, Removed> | undefined {
  const transport = useTransport();
  const asked = ids.slice(0, mostAsked);
  const answers = useQueries({
    queries: asked.map((id) =>
      createQueryOptions(DirectoryHistoryService.method.listDirectoryEvents, changesOf(kind, id), { transport }),
    ),
  });
  if (answers.some(({ isPending }) => isPending)) return undefined;
  const found = answers.map(({ data }) => removedIn(data?.events ?? []));
  return new Map(asked.flatMap((id, nth) => (found[nth] ? [[id, found[nth]]] : [])));
}

/** The newest changes of things of a kind, or of one of them. */
export function changesOf(
  kind: Removable,
  id?: string,
  limit = mostAfter,
): MessageInitShape<typeof ListDirectoryEventsRequestSchema> {
  return {
    filters: [
      { filter: { case: "kinds", value: { kinds: [kind] } } },
      ...(id === undefined ? [] : [{ filter: { case: "id" as const, value: { id } } }]),
    ],
    pagination: { limit, skipTotal: true },
  };
}

/** What was removed by the latest of a thing's events, which are newest first. Undefined if it is there, or was moved away. */
export function removedIn(events: readonly DirectoryEvent[]): Removed | undefined {
  const removal = events.find(({ after }) => !isErased(after));
  const thing = removal?.before?.thing;
  if (removal === undefined || removal.after !== undefined) return undefined;
  switch (thing?.case) {
    case "user":
      return { removal, user: thing.value };
    case "project":
      return { removal, project: asListed(thing.value) };
    case "organization":
      return { removal, organization: thing.value };
    default:
      return undefined;
  }
}

export function asListed({ id, name, organizationId }: Pick<Project, "id" | "name" | "organizationId">): ListedProject {
  return create(ListedProjectSchema, { id, name, organizationId });
}

function isErased(after: DirectoryEvent["after"]): boolean {
  return after?.thing.case === "user" && after.thing.value.organizationId === "";
}

export const useUser = pickedBy<Ever<User>>(users, "user");
export const useProject = pickedBy<Ever<ListedProject>>(projects, "project");
export const useOrganization = pickedBy<Ever<Organization>>(organizations, "organization");

/**
 * Things that an address names by id, for pickers. If one can't be looked up, not even among what was removed, its id is
 * shown, because there may still be a history.
 */
function pickedBy<Item extends Ever<object>>({ useFound, bare }: LookUp<Item>, kind: Removable) {
  return (id: string | undefined): Item | undefined => {
    const { items, isLoading } = useFound(id ? [id] : []);
    // It is known only then that it isn't there.
    const removed = useRemoved(kind, id && items?.length === 0 ? [id] : []);
    if (!id) return undefined;
    if (isLoading || removed === undefined) return { ...bare(id), isAsked: true };
    const gone = removed.get(id)?.[kind] as Item | undefined;
    const other = gone ? { ...gone, isRemoved: true } : bare(id);
    return items?.[0] ?? (items ? { ...other, isGone: true } : other);
  };
}
