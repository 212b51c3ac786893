import { AuthorizationService } from "@authorization-service/client";
import { DirectoryService } from "@authorization-service/client/directory";
import { skipToken, useQuery } from "@connectrpc/connect-query";
import { linkOptions } from "@tanstack/react-router";
import { useMemo } from "react";
import { placeName, userName } from "../changes/assignment-name.ts";
import { useNamesOfOrganizations } from "../directory/organization-names.ts";
import { nameOf as roleNameOf } from "../parts/role-chips.tsx";
import { pickables } from "../pickers/things.tsx";
import { searchWords } from "../words/search.ts";
import { type Hit, type Hits, hasAll, mostOfKind } from "./hits.ts";

// The search finds what the fields find that pick people, projects and organizations.

export function usePeople(words: readonly string[]): Hits {
  const { nameOf, useFound } = pickables.user;
  const { items, ...found } = useFound(words.join(" "), words.length > 0);
  const organizationOf = useNamesOfOrganizations(items);
  const hits = items.map((user) => ({
    ...{ title: nameOf(user), detail: user.preferredLoginName },
    person: { user, organization: organizationOf(user) },
    go: linkOptions({ to: "/person", search: { id: user.id } }),
  }));
  return { ...found, items: hits };
}

export function useNamed(kind: "project" | "organization", words: readonly string[]): Hits {
  const { items, ...found } = pickables[kind].useFound(words.join(" "), words.length > 0);
  const hits = items.map(({ id, name }) => ({
    ...{ title: name || id, detail: "" },
    go: linkOptions({ to: `/${kind}`, search: { id } }),
  }));
  return { ...found, items: hits };
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
  const hits = (data?.authorizations ?? []).map((one) => ({
    ...{ title: searchWords.assignmentOf(userName(one)), detail: placeName(one) },
    go: linkOptions({ to: "/assignments", search: { id: one.id } }),
  }));
  return { items: hits, isMore: false, isAsking: isFetching, error };
}

/** The API finds no roles by name, so those of this many projects are searched here. */
const mostProjects = 100;

/**
 * Roles by their names, keys and projects. `searchedProjects` is the number of projects whose roles were searched, if
 * there are more projects.
 */
export function useRoles(words: readonly string[]): Hits & { readonly searchedProjects: number | undefined } {
  const { data, isFetching, error } = useQuery(
    DirectoryService.method.listProjects,
    words.length === 0 ? skipToken : { pagination: { limit: mostProjects, skipTotal: true } },
    // Roles rarely change, and each letter would ask for all of them again.
    { staleTime: 60_000 },
  );
  const items = useMemo(
    () =>
      (data?.projects ?? []).flatMap((project): Hit[] =>
        project.roles
          .map((role) => ({ role, own: `${role.displayName} ${role.key}` }))
          // The project's name alone would find every role of it.
          .filter(({ own }) => words.some((word) => hasAll(own, [word])) && hasAll(`${own} ${project.name}`, words))
          .map(({ role }) => ({
            title: roleNameOf(role),
            detail: searchWords.roleIn(project.name || project.id),
            go: linkOptions({ to: "/role", search: { project: project.id, key: role.key } }),
          })),
      ),
    [data, words],
  );
  const isPart = (data?.pagination?.nextPageToken ?? "") !== "";
  return {
    ...{ items, isMore: false, isAsking: isFetching && data === undefined, error },
    searchedProjects: isPart ? data?.projects.length : undefined,
  };
}
