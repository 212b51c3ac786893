import { useCaller } from "../caller.ts";
import { everywhere, mayAdd, mayChange, maySomewhere } from "../directory/rights.ts";
import { signOut } from "../session/issuer-sign-in.ts";
import { accountWords } from "../words/account.ts";
import { assignListWords } from "../words/assign-list.ts";
import { compareWords } from "../words/compare.ts";
import { namedChangeWords, personChangeWords } from "../words/directory-changes.ts";
import { firstPageWords } from "../words/first-page.ts";
import { frameWords } from "../words/frame.ts";
import { searchWords } from "../words/search.ts";
import { tokenWords } from "../words/tokens.ts";
import { type Hit, type Hits, hasAll, type PagePath } from "./hits.ts";

/** Pages and actions. Without words, all of them. */
export function usePages(words: readonly string[], onKeys: () => void): Hits {
  const caller = useCaller();
  const mayCreate = maySomewhere(caller, "user.grant.write");
  const { pages, actions } = searchWords;
  const page = (title: string, to: PagePath): Hit => ({
    ...{ id: `page ${title}`, title, detail: searchWords.page },
    go: { to, search: {} },
  });
  const action = (title: string, go: Hit["go"]): Hit => ({
    id: `action ${title}`,
    title,
    detail: searchWords.action,
    go,
  });
  const all = [
    page(firstPageWords.title, "/"),
    page(pages.assignments, "/assignments"),
    page(frameWords.people, "/people"),
    page(frameWords.projects, "/projects"),
    page(frameWords.organizations, "/organizations"),
    page(frameWords.administrators, "/administrators"),
    page(pages.history, "/history"),
    page(pages.overview, "/overview"),
    page(accountWords.title, "/account"),
    ...(mayChange(caller, "directory.write", everywhere) ? [page(pages.firstSteps, "/first-steps")] : []),
    ...(mayCreate
      ? [
          action(actions.create, { to: "/assignments", search: { create: {} } }),
          action(assignListWords.title, { to: "/assign-list", search: {} }),
        ]
      : []),
    action(mayCreate ? compareWords.open : compareWords.title, { to: "/compare", search: {} }),
    ...(maySomewhere(caller, "user.write")
      ? [action(personChangeWords.add, { to: "/people", search: { open: true } })]
      : []),
    ...(mayAdd(caller, "project.write")
      ? [action(namedChangeWords.addProject, { to: "/projects", search: { open: true } })]
      : []),
    ...(mayChange(caller, "org.write", everywhere)
      ? [action(namedChangeWords.addOrganization, { to: "/organizations", search: { open: true } })]
      : []),
    action(tokenWords.createTitle, { to: "/account", search: { open: "new-token" } }),
    action(actions.keys, onKeys),
    action(actions.signOut, () => void signOut()),
  ];
  const hits = all.filter(({ title }) => hasAll(title, words));
  return { hits, isMore: false, isAsking: false, isFailed: false };
}
