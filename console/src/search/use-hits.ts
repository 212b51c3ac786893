import { useMemo } from "react";
import { useSettled } from "../pickers/found.ts";
import { useActions } from "./find-actions.ts";
import { useAssignments, useNamed, usePeople, useRoles } from "./find-in-directory.ts";
import { usePages } from "./find-pages.ts";
import { type Hits, type Kind, kinds, mostOfKind, wordsIn } from "./hits.ts";

/** A pause in typing, in milliseconds, that starts the search. */
const pause = 120;

/** Searches everything for the words of a text. */
export function useHits(text: string, onKeys: () => void) {
  const settled = useSettled(text, pause);
  const sought = useMemo(() => wordsIn(settled), [settled]);
  const { searchedProjects, ...roles } = useRoles(sought);
  const actions = useActions(settled);
  const found: Record<Kind, Hits> = {
    people: usePeople(sought),
    projects: useNamed("project", sought),
    organizations: useNamed("organization", sought),
    roles,
    assignments: useAssignments(sought),
    pages: { ...actions, items: [...actions.items, ...usePages(sought, onKeys)] },
  };
  const groups = kinds.map((kind) => {
    const { items, isMore, ...asking } = found[kind];
    const most = kind === "pages" ? items.length : mostOfKind;
    return { kind, ...asking, items: items.slice(0, most), isMore: isMore || items.length > most };
  });
  const isIdle = sought.length === 0;
  return {
    /** Before anything is typed, only pages and actions are offered: showing the first people would say nothing. */
    groups: groups.filter(({ kind, items }) => items.length > 0 && (!isIdle || kind === "pages")),
    sought,
    isIdle,
    isAsking: settled !== text || groups.some(({ isAsking }) => isAsking),
    failed: groups.filter(({ error }) => error !== null).map(({ kind }) => kind),
    searched: groups.filter(({ error }) => error === null).map(({ kind }) => kind),
    searchedProjects,
  };
}
