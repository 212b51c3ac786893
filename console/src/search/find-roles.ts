import { DirectoryService } from "@authorization-service/client/directory";
import { skipToken, useQuery } from "@connectrpc/connect-query";
import { useMemo } from "react";
import { nameOf } from "../parts/role-chips.tsx";
import { searchWords } from "../words/search.ts";
import { type Hit, type Hits, hasAll, mostOfKind } from "./hits.ts";

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
  const found = useMemo(() => {
    const hits: Hit[] = [];
    for (const project of data?.projects ?? []) {
      for (const role of project.roles) {
        const own = `${role.displayName} ${role.key}`;
        // The project's name alone would find every role of it.
        if (!words.some((word) => hasAll(own, [word])) || !hasAll(`${own} ${project.name}`, words)) continue;
        hits.push({
          id: `role ${JSON.stringify([project.id, role.key])}`,
          title: nameOf(role),
          detail: searchWords.roleIn(project.name || project.id),
          go: { to: "/role", search: { project: project.id, key: role.key } },
        });
      }
    }
    return hits;
  }, [data, words]);
  const isPart = (data?.pagination?.nextPageToken ?? "") !== "";
  return {
    hits: found.slice(0, mostOfKind),
    isMore: found.length > mostOfKind,
    isAsking: isFetching && data === undefined,
    isFailed: error !== null,
    searchedProjects: isPart ? data?.projects.length : undefined,
  };
}
