import { AuthorizationService } from "@authorization-service/client";
import { skipToken, useQuery } from "@connectrpc/connect-query";
import { placeName, userName } from "../changes/assignment-name.ts";
import { useNamesOfOrganizations } from "../directory/organization-names.ts";
import type { Found } from "../pickers/found.ts";
import { nameOf } from "../pickers/named.tsx";
import { useFoundOrganizations } from "../pickers/organization-picker.tsx";
import { useFoundProjects } from "../pickers/project-picker.tsx";
import { useFoundUsers } from "../pickers/user-picker.tsx";
import { searchWords } from "../words/search.ts";
import { type Hit, type Hits, mostOfKind } from "./hits.ts";

// The search finds what the fields find that pick people, projects and organizations.

export function usePeople(words: readonly string[]): Hits {
  const found = useFoundUsers(words.join(" "), words.length > 0);
  const organizationOf = useNamesOfOrganizations(found.items.slice(0, mostOfKind));
  return hitsOf(found, (user) => ({
    id: `person ${user.id}`,
    title: user.displayName || user.preferredLoginName || user.id,
    detail: user.preferredLoginName,
    person: { user, organization: organizationOf(user) },
    go: { to: "/person", search: { id: user.id } },
  }));
}

export function useProjects(words: readonly string[]): Hits {
  const found = useFoundProjects(words.join(" "), words.length > 0);
  return hitsOf(found, (project) => named("project", project));
}

export function useOrganizations(words: readonly string[]): Hits {
  const found = useFoundOrganizations(words.join(" "), words.length > 0);
  return hitsOf(found, (organization) => named("organization", organization));
}

function named(kind: "project" | "organization", thing: { readonly id: string; readonly name: string }): Hit {
  const go = { to: `/${kind}`, search: { id: thing.id } } as const;
  return { id: `${kind} ${thing.id}`, title: nameOf(thing), detail: "", go };
}

function hitsOf<Item>({ items, isMore, isAsking, error }: Found<Item>, toHit: (item: Item) => Hit): Hits {
  const hits = items.slice(0, mostOfKind).map(toHit);
  return { hits, isMore: isMore || items.length > mostOfKind, isAsking, isFailed: error !== null };
}

/** Assignments have no names, so they are found only by their whole ids. */
export function useAssignments([word, ...others]: readonly string[]): Hits {
  const isId = word !== undefined && others.length === 0;
  const { data, isFetching, error } = useQuery(
    AuthorizationService.method.listAuthorizations,
    isId
      ? {
          filters: [{ filter: { case: "authorizationIds", value: { ids: [word] } } }],
          pagination: { limit: mostOfKind, skipTotal: true },
        }
      : skipToken,
  );
  const found = { items: data?.authorizations ?? [], isMore: false, isAsking: isFetching, error, retry: () => {} };
  return hitsOf(found, (one) => ({
    id: `assignment ${one.id}`,
    title: searchWords.assignmentOf(userName(one)),
    detail: placeName(one),
    go: { to: "/", search: { id: one.id } },
  }));
}
