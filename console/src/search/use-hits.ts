import { useMemo } from "react";
import { useSettled } from "../pickers/found.ts";
import { useActions } from "./find-actions.ts";
import { useAssignments, useOrganizations, usePeople, useProjects } from "./find-in-directory.ts";
import { usePages } from "./find-pages.ts";
import { useRoles } from "./find-roles.ts";
import { type Hits, type Kind, kinds, wordsIn } from "./hits.ts";

/** A pause in typing, in milliseconds, that starts the search. */
const pause = 120;

/** Searches everything for the words of a text. */
export function useHits(text: string, onKeys: () => void) {
  const settled = useSettled(text, pause);
  const sought = useMemo(() => wordsIn(settled), [settled]);
  const { searchedProjects, ...roles } = useRoles(sought);
  const found: Record<Kind, Hits> = {
    people: usePeople(sought),
    projects: useProjects(sought),
    organizations: useOrganizations(sought),
    roles,
    assignments: useAssignments(sought),
    pages: together(useActions(settled), usePages(sought, onKeys)),
  };
  const groups = kinds.map((kind) => ({ kind, ...found[kind] }));
  const isIdle = sought.length === 0;
  return {
    /** Before anything is typed, only pages and actions are offered: showing the first people would say nothing. */
    groups: groups.filter(({ kind, hits }) => hits.length > 0 && (!isIdle || kind === "pages")),
    sought,
    isIdle,
    isAsking: settled !== text || groups.some(({ isAsking }) => isAsking),
    failed: groups.filter(({ isFailed }) => isFailed).map(({ kind }) => kind),
    searched: groups.filter(({ isFailed }) => !isFailed).map(({ kind }) => kind),
    searchedProjects,
  };
}

function together(one: Hits, other: Hits): Hits {
  return {
    hits: [...one.hits, ...other.hits],
    isMore: one.isMore || other.isMore,
    isAsking: one.isAsking || other.isAsking,
    isFailed: one.isFailed || other.isFailed,
  };
}
