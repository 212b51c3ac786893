import { linkOptions } from "@tanstack/react-router";
import { useMemo } from "react";
import { useCaller } from "../caller.ts";
import { everywhere, isPlain, mayAdd, mayChange, maySomewhere } from "../directory/rights.ts";
import { useSettled } from "../pickers/found.ts";
import { signOut } from "../session/signing-in.ts";
import { accountWords } from "../words/account.ts";
import { addPeopleWords } from "../words/add-people.ts";
import { assignListWords } from "../words/assign-list.ts";
import { compareWords } from "../words/compare.ts";
import { namedChangeWords, personChangeWords } from "../words/directory-changes.ts";
import { firstPageWords } from "../words/first-page.ts";
import { frameWords } from "../words/frame.ts";
import { searchWords } from "../words/search.ts";
import { tokenWords } from "../words/tokens.ts";
import { hitsAbout, useActions, useAssignments, useNamed, usePeople, useRoles } from "./find-in-directory.ts";
import { type Hit, type Hits, hasAll, type Kind, kinds, mostOfKind, wordsIn } from "./hits.ts";

/** A pause in typing, in milliseconds, that starts the search. */
const pause = 120;

/** Searches everything for the words of a text. */
export function useHits(text: string) {
  const settled = useSettled(text, pause);
  const sought = useMemo(() => wordsIn(settled), [settled]);
  const { searchedProjects, ...roles } = useRoles(sought);
  const caller = useCaller();
  const actions = useActions(settled, caller);
  const people = usePeople(sought);
  const isIdle = sought.length === 0;
  const [only, another] = people.items;
  const aboutOnly = only?.person && !another && !isIdle ? hitsAbout("changes", [only.person.user]) : [];
  const found: Record<Kind, Hits> = {
    people,
    projects: useNamed("project", sought),
    organizations: useNamed("organization", sought),
    roles,
    assignments: useAssignments(sought),
    pages: { ...actions, items: [...actions.items, ...aboutOnly, ...pagesFor(caller, sought)] },
  };
  const groups = kinds.map((kind) => {
    const { items, isMore, ...asking } = found[kind];
    const most = kind === "pages" ? items.length : mostOfKind;
    return { kind, ...asking, items: items.slice(0, most), isMore: isMore || items.length > most };
  });
  return {
    /** Before anything is typed, only pages and actions are offered: showing the first people would say nothing. */
    groups: groups.filter(({ kind, items }) => items.length > 0 && (!isIdle || kind === "pages")),
    sought,
    isIdle,
    isAsking: settled !== text || groups.some(({ isAsking }) => isAsking),
    failed: groups.filter(({ error }) => error !== null).map(({ kind }) => kind),
    searched: groups.filter(({ error }) => error === null).map(({ kind }) => kind),
    searchedProjects,
    start: searchWords.start(isPlain(caller)),
  };
}

/** Pages and actions. Without words, all of them. */
function pagesFor(caller: ReturnType<typeof useCaller>, words: readonly string[]): readonly Hit[] {
  const mayCreate = maySomewhere(caller, "user.grant.write");
  const { firstSteps, actions, also } = searchWords;
  const isOwnOnly = isPlain(caller);
  const mayAddPeople = maySomewhere(caller, "user.write");
  const page = (title: string, go: Hit["go"], also = "") => ({ title, detail: searchWords.page, go, also });
  const action = (title: string, go: Hit["go"], also = "") => ({ title, detail: searchWords.action, go, also });
  // They list what others have.
  const view = (...of: Parameters<typeof page>) => !isOwnOnly && page(...of);
  const all = [
    page(isOwnOnly ? frameWords.ownAccess : firstPageWords.title, linkOptions({ to: "/" })),
    page(frameWords.history, linkOptions({ to: "/history" }), also.history),
    view(frameWords.assignments, linkOptions({ to: "/assignments" }), also.assignments),
    view(frameWords.people, linkOptions({ to: "/people" })),
    view(frameWords.projects, linkOptions({ to: "/projects" })),
    view(frameWords.organizations, linkOptions({ to: "/organizations" })),
    view(frameWords.administrators, linkOptions({ to: "/administrators" })),
    view(frameWords.overview, linkOptions({ to: "/overview" })),
    page(accountWords.title, linkOptions({ to: "/account" })),
    mayChange(caller, "directory.write", everywhere) && page(firstSteps, linkOptions({ to: "/first-steps" })),
    mayCreate && action(actions.create, linkOptions({ to: "/assignments", search: { create: {} } })),
    mayCreate && action(assignListWords.title, linkOptions({ to: "/assign-list" }), also.lists),
    mayAddPeople && action(personChangeWords.add, linkOptions({ to: "/people", search: { open: true } }), also.people),
    mayAddPeople && action(addPeopleWords.open, linkOptions({ to: "/add-people" }), `${also.people} ${also.lists}`),
    mayAdd(caller, "project.write") &&
      action(namedChangeWords.addProject, linkOptions({ to: "/projects", search: { open: true } })),
    mayChange(caller, "org.write", everywhere) &&
      action(namedChangeWords.addOrganization, linkOptions({ to: "/organizations", search: { open: true } })),
    !isOwnOnly && action(mayCreate ? compareWords.open : compareWords.title, linkOptions({ to: "/compare" })),
    action(tokenWords.createTitle, linkOptions({ to: "/account", search: { open: "new-token" } })),
    action(actions.signOut, () => void signOut()),
  ];
  return all.filter((hit) => hit !== false).filter(({ title, also }) => hasAll(`${title} ${also}`, words));
}
